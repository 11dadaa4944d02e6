#pragma once

#include "app/gui/common/desktop_theme.h"
#include "app/gui/common/settings.h"

namespace helio {

/// Sets the dark or light theme of the program, as the user chose or as the desktop is. Each window has an instance; all instances do the
/// same. Threads: UI thread.
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
