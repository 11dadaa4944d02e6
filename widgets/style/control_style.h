#pragma once

#include <QProxyStyle>

namespace helio {

/// Style that draws all standard controls: buttons, fields, boxes, menus, tabs, table headers, scroll bars and tooltips. Based on Fusion.
/// All colours are roles of the theme, so that no widget needs a style sheet.
/// Threads: UI thread.
class ControlStyle : public QProxyStyle {
    Q_OBJECT

public:
    ControlStyle();

    using QProxyStyle::polish;
    void polish(QWidget* widget) override;
    void unpolish(QWidget* widget) override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    QRect subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part, const QWidget* widget) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents, const QWidget* widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* answer) const override;
    QIcon standardIcon(StandardPixmap icon, const QStyleOption* option, const QWidget* widget) const override;

private:
    friend void useControlStyle(QIcon (*icons)(const QString& name));
    bool eventFilter(QObject* watched, QEvent* event) override;

    QIcon (*m_icons)(const QString& name) = nullptr;
};

/// Sets ControlStyle as the style of the application; palette and fonts are set by Themes. `icons` makes an icon from its name, for
/// dialogs that request icons from the style; nullptr keeps Qt's icons.
void useControlStyle(QIcon (*icons)(const QString& name) = nullptr);

} // namespace helio
