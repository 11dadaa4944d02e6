#pragma once

#include <QFont>

namespace helio {

/// The fonts of look.md's section 2, made from the desktop's font and scaled with it. A value.
class Fonts {
public:
    Fonts(); ///< From QFontDatabase::systemFont.
    explicit Fonts(const QFont& general);

    /// A size of the tables there (for a 13 px desktop font), with a weight: 400, 500, 600.
    QFont at(qreal size, int weight = 400) const;
    /// The fixed font, for code and raw bytes.
    QFont fixed(qreal size = 11.5) const;
    /// A length that goes with the text: device-independent pixels of the tables times the font's scale.
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
    bool m_isDarkened = false; ///< By the rasterizer: letters are drawn a step heavier than they are.
};

} // namespace helio
