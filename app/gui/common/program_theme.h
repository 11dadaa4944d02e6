#pragma once

#include "app/gui/common/desktop_theme.h"
#include "app/gui/common/settings.h"

namespace helio {

/// Dresses the program dark or light as the person chose, or as the desktop is. Each window has one: what they do is the same for all. UI
/// thread.
class ProgramTheme : public QObject {
    Q_OBJECT

public:
    explicit ProgramTheme(QObject* parent = nullptr);

    Settings::ThemeChoice choice() const { return m_settings.theme(); }
    void choose(Settings::ThemeChoice choice); ///< Remembered between runs.

private:
    void apply();

    Settings m_settings;
    DesktopTheme m_desktop;
};

} // namespace helio
