"""What `import fifteentwo` offers besides the rules: hands, positions, chances, games and pictures."""
