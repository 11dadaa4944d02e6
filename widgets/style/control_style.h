#pragma once

#include <QProxyStyle>

namespace helio {

/// Every control of look.md's section 13 as it is drawn there, over Fusion: buttons, fields, boxes, menus, tabs, titles of tables, bars and
/// tips, all from the theme's roles, so that no widget needs a style sheet. Has no state of its own beyond that; UI thread.
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

/// From now on the program's widgets are drawn by it. The palette and fonts are those that Themes sets. `icons` makes an icon of the
/// program's own by its name, for dialogs that ask the style for theirs; null: they keep Qt's.
void useControlStyle(QIcon (*icons)(const QString& name) = nullptr);

} // namespace helio
