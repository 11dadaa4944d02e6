#include "app/gui/common/program_theme.h"

#include "widgets/controls/icons.h"
#include "widgets/style/control_style.h"
#include "widgets/theme/themes.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QEvent>
#include <QPalette>

namespace helio {

namespace {

const QString Service = QStringLiteral("org.freedesktop.portal.Desktop");
const QString Path = QStringLiteral("/org/freedesktop/portal/desktop");
const QString Interface = QStringLiteral("org.freedesktop.portal.Settings");
const QString Group = QStringLiteral("org.freedesktop.appearance");
const QString Name = QStringLiteral("color-scheme");

} // namespace

DesktopTheme::DesktopTheme(QObject* parent)
    : QObject(parent)
    , m_kind(QApplication::palette().color(QPalette::Window).lightness() < 128 ? Theme::Kind::Dark : Theme::Kind::Light)
{
    qApp->installEventFilter(this);
    if (qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS"))
        return; // Do not query the portal: without a session bus, the query would start one.
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    bus.connect(Service, Path, Interface, QStringLiteral("SettingChanged"), this, SLOT(settingChanged(QString, QString, QDBusVariant)));
    QDBusMessage call = QDBusMessage::createMethodCall(Service, Path, Interface, QStringLiteral("Read"));
    call << Group << Name;
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(call, 2000), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        const QDBusPendingReply<QDBusVariant> reply = *watcher;
        if (!reply.isError())
            take(reply.value().variant());
        watcher->deleteLater();
    });
}

/// Updates the fonts when the desktop's fonts change: platform themes send ThemeChange to a window or ApplicationFontChange to the
/// application.
bool DesktopTheme::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::ThemeChange || (event->type() == QEvent::ApplicationFontChange && watched == qApp))
        Themes::instance().updateFonts();
    return QObject::eventFilter(watched, event);
}

void DesktopTheme::settingChanged(const QString& group, const QString& name, const QDBusVariant& value)
{
    if (group == Group && name == Name)
        take(value.variant());
}

void DesktopTheme::take(QVariant value)
{
    if (value.canConvert<QDBusVariant>())
        value = value.value<QDBusVariant>().variant(); // Unwrap again, because the portal's method Read wraps its result twice.
    const uint scheme = value.toUInt();
    if (scheme != 1 && scheme != 2)
        return; // Change nothing: the desktop has no preference (0), or the value is unknown.
    const Theme::Kind kind = scheme == 1 ? Theme::Kind::Dark : Theme::Kind::Light;
    if (kind != std::exchange(m_kind, kind))
        emit changed();
}

ProgramTheme::ProgramTheme(QObject* parent)
    : QObject(parent)
{
    connect(&m_desktop, &DesktopTheme::changed, this, &ProgramTheme::apply);
    apply();
}

void ProgramTheme::choose(Settings::ThemeChoice choice)
{
    m_settings.setTheme(choice);
    apply();
}

void ProgramTheme::apply()
{
    const bool isDark =
        choice() == Settings::ThemeChoice::Desktop ? m_desktop.kind() == Theme::Kind::Dark : choice() == Settings::ThemeChoice::Dark;
    useControlStyle([](const QString& name) { return themedIcon(name); });
    Themes::instance().setTheme(isDark ? Theme::Kind::Dark : Theme::Kind::Light);
}

} // namespace helio
