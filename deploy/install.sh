#!/bin/sh
# Install Fifteen Two on Debian (12 or newer) or Ubuntu (24.04 or newer): sudo sh deploy/install.sh cards.example
# Run again, it upgrades: it builds beside the old version, makes a backup, and restarts one process after another.
# Your settings in /etc/fifteentwo.env and /etc/nginx/nginx.conf stay.
set -eu
if [ $# -ne 1 ] || [ "$(id -u)" -ne 0 ]; then
    echo "usage: sudo sh deploy/install.sh HOST-NAME" >&2
    exit 2
fi
cd "$(dirname "$0")"
apt-get install --yes --no-install-recommends python3-venv nginx certbot python3-certbot-nginx

new=/opt/fifteentwo-$(date +%Y%m%d-%H%M%S)
old=$(readlink /opt/fifteentwo || true)
sh build.sh "$new"

id fifteentwo >/dev/null 2>&1 ||
    useradd --system --home-dir /var/lib/fifteentwo --shell /usr/sbin/nologin fifteentwo
if [ ! -e /etc/fifteentwo.env ]; then
    sed "s/cards\.example/$1/" fifteentwo.env | install -m 600 /dev/stdin /etc/fifteentwo.env
fi
if ! grep -q "upstream fifteentwo" /etc/nginx/nginx.conf; then
    mv /etc/nginx/nginx.conf /etc/nginx/nginx.conf.before-fifteentwo
    sed "s/cards\.example/$1/" nginx.conf > /etc/nginx/nginx.conf
fi
nginx -t
systemctl reload-or-restart nginx
cp fifteentwo@.service fifteentwo-backup.service fifteentwo-backup.timer /etc/systemd/system/
systemctl daemon-reload

[ -z "$old" ] || systemctl start fifteentwo-backup
ln -sfn "$new" /opt/fifteentwo
# The processes that are enabled; the first one the first time.
units=$(systemctl list-units --plain --no-legend 'fifteentwo@*' | cut -d ' ' -f 1)
for unit in ${units:-fifteentwo@8001.service}; do
    systemctl enable "$unit"
    systemctl restart "$unit"
done
systemctl enable --now fifteentwo-backup.timer
for version in /opt/fifteentwo-*; do
    [ "$version" = "$new" ] || [ "$version" = "$old" ] || rm -rf "$version"
done
echo "Fifteen Two serves http://$1/. For https: sudo certbot --nginx -d $1"
