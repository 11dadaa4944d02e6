#include "widgets/style/control_style.h"

#include "widgets/paint/focus_ring.h"
#include "widgets/paint/popup.h"
#include "widgets/style/compositing.h"
#include "widgets/style/controls.h"
#include "widgets/theme/themes.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QFrame>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <QStyleFactory>
#include <QTreeWidget>

namespace helio {

namespace {

using namespace controls;

/// Casts the option to the type of the control. Requires: the option has that type, which is the case for all callers of a style.
template <typename Option> const Option& as(const QStyleOption* option) { return *qstyleoption_cast<const Option*>(option); }

bool isTip(const QWidget* widget) { return widget && widget->inherits("QTipLabel"); }
bool isPopup(const QWidget* widget) { return qobject_cast<const QMenu*>(widget) || isTip(widget); }
/// True for the popup window with a combo box's list.
bool isComboPopup(const QWidget* widget) { return widget && widget->inherits("QComboBoxPrivateContainer"); }

/// Padding in pixels around each line of a combo box's list, and of the text in it, as in menus.
constexpr int ComboLineSpacing = 5;
constexpr int ComboTextMargin = 6;

/// Returns the rectangle of a part of a scroll bar: its handle, or the area before or after it.
QRect scrollPart(const QStyleOptionSlider& option, QStyle::SubControl part)
{
    const QRect handle = scrollHandle(option);
    const QRect& all = option.rect;
    const bool isUpright = option.orientation == Qt::Vertical;
    switch (part) {
    case QStyle::SC_ScrollBarGroove: return all;
    case QStyle::SC_ScrollBarSlider: return handle;
    case QStyle::SC_ScrollBarSubPage:
        return isUpright ? QRect(all.topLeft(), QPoint(all.right(), handle.top() - 1))
                         : QRect(all.topLeft(), QPoint(handle.left() - 1, all.bottom()));
    case QStyle::SC_ScrollBarAddPage:
        return isUpright ? QRect(QPoint(all.left(), handle.bottom() + 1), all.bottomRight())
                         : QRect(QPoint(handle.right() + 1, all.top()), all.bottomRight());
    default: return {};
    }
}

QRegion roundMask(const QRect& rect)
{
    QPainterPath path;
    path.addRoundedRect(rect, 6, 6);
    return QRegion(path.toFillPolygon().toPolygon());
}

} // namespace

ControlStyle::ControlStyle()
    : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion")))
{
    isKeyboardNavigationActive(); // Called for its effect: the first call starts watching the keyboard.
}

void ControlStyle::polish(QWidget* widget)
{
    QProxyStyle::polish(widget);
    if (isPopup(widget)) {
        widget->setAttribute(Qt::WA_TranslucentBackground, isComposited());
        widget->installEventFilter(this);
    } else if (const auto* combo = qobject_cast<QComboBox*>(widget)) {
        if (auto* list = qobject_cast<QListView*>(combo->view()))
            list->setSpacing(ComboLineSpacing); // The spacing is set here, because Qt computes the list's height before it shows the list.
    } else if (qobject_cast<QLineEdit*>(widget)) {
        // Qt does not name the button that clears a field.
        if (auto* const clear = widget->findChild<QAction*>("_q_qlineeditclearaction"))
            clear->setText(tr("Clear"));
    } else if (qobject_cast<QScrollBar*>(widget)) {
        widget->setAttribute(Qt::WA_OpaquePaintEvent, false); // Cleared, because the background is visible around the handle.
    }
}

void ControlStyle::unpolish(QWidget* widget)
{
    if (isPopup(widget))
        widget->removeEventFilter(this);
    QProxyStyle::unpolish(widget);
}

/// Moves a popup when it is shown. Its window is larger than the visible card, because it includes the shadow, so the window is moved by
/// the shadow's margins: the card then is where Qt would place a popup without a shadow.
bool ControlStyle::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Show && !event->spontaneous()) {
        auto* popup = static_cast<QWidget*>(watched);
        const bool isSubmenu = qobject_cast<QMenu*>(popup) && qobject_cast<QMenu*>(QApplication::activePopupWidget());
        const QMargins shadow = popupMargins();
        popup->move(popup->pos() - QPoint(isSubmenu ? 0 : shadow.left(), shadow.top()));
    }
    return QProxyStyle::eventFilter(watched, event);
}

void ControlStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    const bool isEnabled = option->state.testFlag(State_Enabled);
    const bool hasFocus = option->state.testFlag(State_HasFocus);
    switch (element) {
    case PE_PanelLineEdit:
        if (as<QStyleOptionFrame>(option).lineWidth > 0)
            drawField(*painter, option->rect, isEnabled, hasFocus);
        return;
    case PE_FrameLineEdit: return; // The edge is drawn together with the field's panel.
    case PE_FrameFocusRect:
        if (isKeyboardNavigationActive()
            // Items of a list have no focus ring, because the highlighted line shows the focus.
            && !qobject_cast<const QAbstractItemView*>(widget))
            paintFocusRing(*painter, option->rect, 4);
        return;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck: return drawCheckBox(*painter, *option);
    case PE_IndicatorRadioButton: return drawRadioButton(*painter, *option);
    case PE_Frame:
        if (isComboPopup(widget))
            return paintPopup(*painter, option->rect);
        return drawField(*painter, option->rect, isEnabled, false);
    case PE_PanelMenu: return drawMenuBackground(*painter, option->rect);
    case PE_FrameMenu: return;
    case PE_PanelTipLabel: return drawMenuBackground(*painter, option->rect);
    case PE_IndicatorHeaderArrow: return; // The arrow is drawn together with the title.
    case PE_FrameTabBarBase: return;
    case PE_PanelScrollAreaCorner: return; // The background is visible between the scroll bars, as around their handles.
    case PE_IndicatorBranch: return drawBranch(*painter, *option);
    case PE_IndicatorDockWidgetResizeHandle: return drawSplitter(*painter, *option);
    default: QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void ControlStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    switch (element) {
    case CE_PushButtonBevel: return drawButton(*painter, as<QStyleOptionButton>(option));
    case CE_PushButtonLabel: return drawButtonText(*painter, as<QStyleOptionButton>(option));
    case CE_PushButton:
        drawButton(*painter, as<QStyleOptionButton>(option));
        return drawButtonText(*painter, as<QStyleOptionButton>(option));
    case CE_ComboBoxLabel: return drawComboText(*painter, as<QStyleOptionComboBox>(option));
    case CE_MenuItem: return drawMenuItem(*painter, as<QStyleOptionMenuItem>(option));
    case CE_MenuEmptyArea: return;
    case CE_MenuBarItem: return drawMenuBarItem(*painter, as<QStyleOptionMenuItem>(option));
    case CE_MenuBarEmptyArea: return;
    case CE_TabBarTabShape: return drawTab(*painter, as<QStyleOptionTab>(option));
    case CE_TabBarTabLabel: return drawTabText(*painter, as<QStyleOptionTab>(option));
    case CE_Header: // The whole header is drawn here: Fusion would reserve room for its arrow, which this style does not draw.
        drawHeaderBackground(*painter, as<QStyleOptionHeader>(option));
        return drawHeaderSection(*painter, as<QStyleOptionHeader>(option));
    case CE_HeaderSection: return drawHeaderBackground(*painter, as<QStyleOptionHeader>(option));
    case CE_HeaderEmptyArea: return painter->fillRect(option->rect, theme().color("surface.panel"));
    case CE_HeaderLabel: return drawHeaderSection(*painter, as<QStyleOptionHeader>(option));
    case CE_Splitter: return drawSplitter(*painter, *option);
    default: QProxyStyle::drawControl(element, option, painter, widget);
    }
}

void ControlStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                      const QWidget* widget) const
{
    switch (control) {
    case CC_ComboBox: return drawCombo(*painter, as<QStyleOptionComboBox>(option));
    case CC_SpinBox: return drawSpinBox(*painter, as<QStyleOptionSpinBox>(option));
    case CC_ScrollBar: return drawScrollBar(*painter, as<QStyleOptionSlider>(option));
    case CC_ToolButton: {
        drawToolBackground(*painter, *option);
        QStyleOptionToolButton label = as<QStyleOptionToolButton>(option);
        return proxy()->drawControl(CE_ToolButtonLabel, &label, painter, widget);
    }
    default: QProxyStyle::drawComplexControl(control, option, painter, widget);
    }
}

QRect ControlStyle::subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const
{
    switch (element) {
    case SE_LineEditContents: return option->rect.adjusted(5, 1, -5, -1);
    case SE_HeaderLabel: return option->rect;
    case SE_PushButtonContents: return option->rect;
    default: return QProxyStyle::subElementRect(element, option, widget);
    }
}

QRect ControlStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part, const QWidget* widget) const
{
    const QRect& all = option->rect;
    if (control == CC_ComboBox && part == SC_ComboBoxEditField)
        return visualRect(option->direction, all, all.adjusted(4, 1, -FieldEnd, -1));
    if (control == CC_ComboBox && part == SC_ComboBoxArrow)
        return visualRect(option->direction, all, QRect(all.right() - FieldEnd + 1, all.top(), FieldEnd, all.height()));
    if (control == CC_SpinBox && part == SC_SpinBoxEditField)
        return visualRect(option->direction, all, all.adjusted(4, 1, -FieldEnd, -1));
    if (control == CC_SpinBox && (part == SC_SpinBoxUp || part == SC_SpinBoxDown)) {
        const int half = all.height() / 2;
        const QRect end(all.right() - FieldEnd + 1, part == SC_SpinBoxUp ? all.top() : all.top() + half, FieldEnd, half);
        return visualRect(option->direction, all, end);
    }
    if (control == CC_ScrollBar)
        return scrollPart(as<QStyleOptionSlider>(option), part);
    return QProxyStyle::subControlRect(control, option, part, widget);
}

QSize ControlStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents, const QWidget* widget) const
{
    switch (type) {
    case CT_PushButton: return buttonSize(as<QStyleOptionButton>(option));
    case CT_LineEdit: return {contents.width() + 10, scaled(FieldHeight)};
    case CT_ComboBox: return {contents.width() + FieldEnd + 12, scaled(FieldHeight)};
    case CT_SpinBox: return {contents.width() + FieldEnd + 8, scaled(FieldHeight)};
    case CT_MenuItem: return menuItemSize(as<QStyleOptionMenuItem>(option), contents);
    case CT_MenuBarItem: return {contents.width() + scaled(16), scaled(28)};
    case CT_TabBarTab: return tabSize(as<QStyleOptionTab>(option));
    case CT_HeaderSection:
        return headerSectionSize(as<QStyleOptionHeader>(option), QProxyStyle::sizeFromContents(type, option, contents, widget));
    default: return QProxyStyle::sizeFromContents(type, option, contents, widget);
    }
}

int ControlStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const
{
    switch (metric) {
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
    case PM_MenuPanelWidth:
    case PM_MenuBarPanelWidth:
    case PM_MenuBarHMargin:
    case PM_MenuBarVMargin:
    case PM_TabBarBaseOverlap: return 0;
    case PM_MenuHMargin: return popupMargins().left();
    case PM_MenuVMargin: return popupMargins().top() + 5;
    case PM_SubMenuOverlap: return -popupMargins().left();
    case PM_MenuButtonIndicator: return 14;
    case PM_ButtonMargin: return 2 * scaled(10);
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight: return scaled(14);
    case PM_CheckBoxLabelSpacing:
    case PM_RadioButtonLabelSpacing: return scaled(8);
    case PM_ScrollBarExtent: return 10;
    case PM_SplitterWidth:
    case PM_DockWidgetSeparatorExtent: return 4;
    case PM_ToolTipLabelFrameWidth: return popupMargins().left() + 8;
    case PM_ComboBoxFrameWidth:
    case PM_DefaultFrameWidth: return 1;
    case PM_FocusFrameHMargin: // Qt's item views add one pixel to this margin.
        if (widget && isComboPopup(widget->window()))
            return ComboTextMargin;
        return qobject_cast<const QTreeWidget*>(widget) ? TitlePadding - 1 : QProxyStyle::pixelMetric(metric, option, widget);
    case PM_LayoutHorizontalSpacing: return 8;
    default: return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int ControlStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* answer) const
{
    switch (hint) {
    case SH_DialogButtonBox_ButtonsHaveIcons:
    case SH_EtchDisabledText:
    case SH_ComboBox_Popup:
    case SH_ScrollView_FrameOnlyAroundContents: return 0;
    case SH_ComboBox_PopupFrameStyle: return QFrame::StyledPanel;
    case SH_Menu_SupportsSections:
    case SH_ItemView_ShowDecorationSelected:
    case SH_Menu_MouseTracking: return 1;
    case SH_ToolTipLabel_Opacity: return 255;
    case SH_Menu_Mask:
    case SH_ToolTip_Mask:
        if (auto* mask = qstyleoption_cast<QStyleHintReturnMask*>(answer); mask && option && !isComposited()) {
            mask->region = roundMask(option->rect);
            return 1;
        }
        return 0;
    default: return QProxyStyle::styleHint(hint, option, widget, answer);
    }
}

namespace {

/// Returns the name of the program's icon that replaces one of Qt's; empty if there is none.
QString iconName(QStyle::StandardPixmap icon)
{
    switch (icon) {
    case QStyle::SP_FileDialogBack:
    case QStyle::SP_ArrowBack:
    case QStyle::SP_ArrowLeft: return QStringLiteral("back");
    case QStyle::SP_ArrowForward:
    case QStyle::SP_ArrowRight: return QStringLiteral("forward");
    case QStyle::SP_FileDialogToParent: return QStringLiteral("up");
    case QStyle::SP_FileDialogNewFolder: return QStringLiteral("folder-new");
    case QStyle::SP_FileDialogListView: return QStringLiteral("list");
    case QStyle::SP_FileDialogDetailedView: return QStringLiteral("row");
    case QStyle::SP_DirIcon:
    case QStyle::SP_DirOpenIcon:
    case QStyle::SP_DirClosedIcon:
    case QStyle::SP_DirLinkIcon:
    case QStyle::SP_DirHomeIcon:
    case QStyle::SP_DesktopIcon:
    case QStyle::SP_ComputerIcon:
    case QStyle::SP_DriveHDIcon: return QStringLiteral("folder");
    case QStyle::SP_FileIcon:
    case QStyle::SP_FileLinkIcon: return QStringLiteral("file");
    case QStyle::SP_MessageBoxInformation: return QStringLiteral("info");
    case QStyle::SP_MessageBoxWarning: return QStringLiteral("warning");
    case QStyle::SP_MessageBoxCritical: return QStringLiteral("error");
    case QStyle::SP_MessageBoxQuestion: return QStringLiteral("question");
    default: return {};
    }
}

} // namespace

QIcon ControlStyle::standardIcon(StandardPixmap icon, const QStyleOption* option, const QWidget* widget) const
{
    const QString name = m_icons ? iconName(icon) : QString();
    return name.isEmpty() ? QProxyStyle::standardIcon(icon, option, widget) : m_icons(name);
}

void useControlStyle(QIcon (*icons)(const QString& name))
{
    auto* style = qobject_cast<ControlStyle*>(QApplication::style());
    if (!style)
        QApplication::setStyle(style = new ControlStyle);
    if (icons)
        style->m_icons = icons;
}

} // namespace helio
