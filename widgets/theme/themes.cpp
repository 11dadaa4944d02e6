#include "widgets/theme/themes.h"

#include <QApplication>
#include <QToolTip>

namespace helio {

Themes::Themes()
    : m_theme(Theme::make(Theme::Kind::Dark))
{
}

Themes& Themes::instance()
{
    static Themes themes;
    return themes;
}

void Themes::setTheme(Theme::Kind kind)
{
    m_theme = Theme::make(kind);
    dress();
    emit changed();
}

/// Applies palette and fonts to Qt's own widgets.
void Themes::dress()
{
    if (!qobject_cast<QApplication*>(QCoreApplication::instance()))
        return;
    const QPalette colors = m_theme.palette();
    QApplication::setPalette(colors);
    QToolTip::setPalette(colors);
    QPalette list = colors; // The list of a combo box has the colours of a popup.
    list.setColor(QPalette::Base, m_theme.color("surface.raised"));
    QApplication::setPalette(list, "QComboBoxListView");
    QApplication::setFont(m_fonts.body());
    const std::pair<const char*, QFont> fonts[] = {{"QPushButton", m_fonts.at(11.5, 500)}, {"QComboBox", m_fonts.detail()},
                                                   {"QLineEdit", m_fonts.detail()},        {"QAbstractSpinBox", m_fonts.detail()},
                                                   {"QCheckBox", m_fonts.detail()},        {"QRadioButton", m_fonts.detail()},
                                                   {"QHeaderView", m_fonts.at(10.5, 500)}, {"QTipLabel", m_fonts.detail()}};
    for (const auto& [widget, font] : fonts)
        QApplication::setFont(font, widget);
    QToolTip::setFont(m_fonts.detail());
}

void Themes::updateFonts()
{
    const Fonts now;
    if (now.body() == m_fonts.body() && now.fixed() == m_fonts.fixed())
        return;
    m_fonts = now;
    dress();
    emit changed();
}

} // namespace helio
