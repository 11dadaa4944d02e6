#pragma once

#include <QFont>

namespace helio {

/// Fonts of the window, derived from the desktop's font and scaled with it. A value type.
class Fonts {
public:
    Fonts(); ///< Derives the fonts from QFontDatabase::systemFont().
    explicit Fonts(const QFont& general);

    /// Returns the font for `size`, in pixels for a desktop font of 13 px. `weight`: 400, 500 or 600.
    QFont at(qreal size, int weight = 400) const;
    /// Returns the monospace font, for code and raw bytes.
    QFont fixed(qreal size = 11.5) const;
    /// Factor for lengths that scale with the text: device-independent pixels per pixel at a desktop font of 13 px.
    qreal scale() const { return m_scale; }

    QFont body() const { return at(12); }
    QFont group() const { return at(12, 600); }
    QFont detail() const { return at(11.5); }
    QFont small() const { return at(11); }
    QFont bar() const { return at(10.5, 500); }
    QFont legend() const { return at(10.5); }
    QFont title() const { return at(13, 600); }

private:
    QFont m_general;
    QFont m_fixed;
    qreal m_scale = 1;
    bool m_isDarkened = false; ///< True if FreeType draws letters heavier than the font defines, see isDarkened().
};

} // namespace helio
