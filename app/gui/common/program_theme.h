#pragma once

#include "app/gui/common/settings.h"
#include "widgets/theme/theme.h"

#include <QObject>
#include <QVariant>

class QDBusPendingCallWatcher;
class QDBusVariant;

namespace helio {

/// Detects whether the desktop has a dark theme: by the color-scheme setting of the desktop portal if there is one, else by the
/// lightness of the palette at the program's start. The portal is queried asynchronously; changed() reports the result. Also updates the
/// program's fonts when the desktop's fonts change.
class DesktopTheme : public QObject {
    Q_OBJECT

public:
    explicit DesktopTheme(QObject* parent = nullptr);

    Theme::Kind kind() const { return m_kind; }

signals:
    void changed();

private slots:
    void settingChanged(const QString& group, const QString& name, const QDBusVariant& value);

private:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void take(QVariant value);

    Theme::Kind m_kind;
};

/// Sets the program's theme, dark or light, according to the user's choice or the desktop. Each window has its own instance; all instances
/// set the same theme.
/// Threads: UI thread.
class ProgramTheme : public QObject {
    Q_OBJECT

public:
    explicit ProgramTheme(QObject* parent = nullptr);

    Settings::ThemeChoice choice() const { return m_settings.theme(); }
    void choose(Settings::ThemeChoice choice); ///< Sets the theme and stores the choice for later runs.

private:
    void apply();

    Settings m_settings;
    DesktopTheme m_desktop;
};

} // namespace helio
