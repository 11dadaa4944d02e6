#pragma once

#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"

#include <QObject>

namespace helio {

/// Current theme and fonts of the program; a singleton.
/// Threads: UI thread.
class Themes : public QObject {
    Q_OBJECT

public:
    static Themes& instance();

    const Theme& theme() const { return m_theme; }
    const Fonts& fonts() const { return m_fonts; }

    /// Sets the theme, and the palette and fonts of the application.
    void setTheme(Theme::Kind kind);
    /// Derives the fonts again. Must be called when the desktop's font changed.
    void updateFonts();

signals:
    void changed();

private:
    Themes();
    void dress();

    Theme m_theme;
    Fonts m_fonts;
};

inline const Theme& theme() { return Themes::instance().theme(); }
inline const Fonts& fonts() { return Themes::instance().fonts(); }

} // namespace helio
