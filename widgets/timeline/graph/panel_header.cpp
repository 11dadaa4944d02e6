#include "widgets/timeline/graph/panel_header.h"

#include "widgets/paint/marks.h"
#include "widgets/paint/state_bar.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/graph/graph_accessible.h"
#include "widgets/timeline/graph/label_metrics.h"
#include "widgets/timeline/graph/switch_chip.h"

#include <QAbstractButton>
#include <QApplication>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QRegularExpression>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace helio {

namespace {

constexpr int ButtonPitch = 24;
constexpr int FilterWidth = 220;
constexpr int TitleGap = 9;

/// Distance in pixels between the label column and the chips that choose which panel of a group is shown.
constexpr int SwitchLeft = 12;
constexpr int SwitchGap = 4;
/// Width of the window in pixels below which the chips for the panels of a group are hidden. The choices are then only in the panel's menu.
constexpr int NarrowWindow = 1360;

QToolButton* makeButton(QWidget* parent, const QString& name)
{
    auto* button = new QToolButton(parent);
    button->setToolTip(name);
    button->setAccessibleName(name);
    button->setFixedSize(22, 20);
    button->setIconSize({14, 14});
    button->setFocusPolicy(Qt::TabFocus);
    button->setCursor(Qt::ArrowCursor);
    return button;
}

} // namespace

PanelHeader::PanelHeader(TimeAxis& axis, const QString& title, QWidget* parent)
    : QWidget(parent)
    , m_axis(axis)
    , m_title(title)
    , m_switch(new QWidget(this))
    , m_pathSwitch(new SwitchChip({}, this))
    , m_filter(new QLineEdit(this))
    , m_subtitleButton(makeButton(this, title))
    , m_listButton(makeButton(this, tr("List by CPU time")))
    , m_filterButton(makeButton(this, tr("Filter %1").arg(title)))
    , m_moreButton(makeButton(this, tr("More actions for %1").arg(title)))
{
    setFixedHeight(Height);
    setMouseTracking(true);
    setFocusPolicy(Qt::TabFocus);
    m_switch->setVisible(false);
    m_switch->setAccessibleName(tr("Shown in %1").arg(title));
    setAccessibleName(title);
    setAccessibleDescription(tr("Space opens or closes the panel"));
    installGraphAccessible();
    m_pathSwitch->setVisible(false);
    m_pathSwitch->setToolTip(tr("Hide the rows off the critical path"));
    connect(m_pathSwitch, &QAbstractButton::clicked, this, [this] { emit pathSwitched(!m_pathSwitch->isChecked()); });
    m_filter->setPlaceholderText(tr("Name or number"));
    m_filter->setAccessibleName(tr("Filter %1").arg(title));
    m_filter->setClearButtonEnabled(true);
    m_filter->setVisible(false);
    m_filter->installEventFilter(this);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (const QString before = std::exchange(m_filterText, text); before != text)
            emit filterEdited(before, text);
    });
    m_subtitleButton->setVisible(false);
    m_subtitleButton->setCheckable(true);
    m_subtitleButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_listButton->setVisible(false);
    m_listButton->setCheckable(true);
    m_listButton->setToolTip(tr("List all rows without the tree, busiest first (L)"));
    connect(m_subtitleButton, &QToolButton::clicked, this, &PanelHeader::subtitleClicked);
    connect(m_listButton, &QToolButton::clicked, this, &PanelHeader::listClicked);
    connect(&axis, &TimeAxis::labelWidthChanged, this, &PanelHeader::placeSubtitle);
    connect(m_filterButton, &QToolButton::clicked, this, [this] { openFilter(); });
    connect(m_moreButton, &QToolButton::clicked, this,
            [this] { emit moreClicked(m_moreButton->mapToGlobal(QPoint(0, m_moreButton->height()))); });
    connect(&Themes::instance(), &Themes::changed, this, [this] { updateIcons(); });
    connect(&axis, &TimeAxis::labelWidthChanged, this, qOverload<>(&QWidget::update));
    const auto marksChanged = [this] {
        const TimeMarks now = TimeMarks::of(m_axis, width());
        update(changedColumns(m_marks, now, QRect(m_axis.labelWidth(), 0, width() - m_axis.labelWidth(), height())));
        m_marks = now;
    };
    for (const auto signal :
         {&TimeWindow::cursorChanged, &TimeWindow::hoveredChanged, &TimeWindow::selectionChanged, &TimeWindow::visibleChanged})
        connect(&axis.window(), signal, this, marksChanged);
    connect(&axis, &TimeAxis::rangeShownChanged, this, marksChanged);
    connect(&axis.bookmarks(), &Bookmarks::changed, this, marksChanged);
    updateIcons();
}

void PanelHeader::updateIcons()
{
    const QColor color = theme().color("text.secondary");
    const QColor disabled = theme().color("text.disabled");
    m_filterButton->setIcon(glyphIcon(Glyph::Filter, color, disabled));
    m_moreButton->setIcon(glyphIcon(Glyph::More, color, disabled));
    m_listButton->setIcon(glyphIcon(Glyph::List, color, disabled));
    m_subtitleButton->setIcon(glyphIcon(Glyph::Eye, color, disabled));
    m_subtitleButton->setFont(fonts().small());
    m_filter->setFont(fonts().small());
    placeSubtitle();
    update();
}

void PanelHeader::setTitle(const QString& title)
{
    m_title = title;
    setAccessibleName(title);
    placeSubtitle();
    update();
}

void PanelHeader::setBadge(const QPixmap& badge)
{
    m_badge = badge;
    setFocusPolicy(isCollapsible() ? Qt::TabFocus : Qt::NoFocus); // Only a header that can be collapsed handles keys.
    placeSubtitle();
    update();
}

void PanelHeader::setNotice(QWidget* notice)
{
    m_notice = notice;
    notice->setParent(this);
    placeButtons();
}

void PanelHeader::setChoices(std::vector<PanelChoice> choices, const std::string& current)
{
    if (choices.size() < 2)
        choices.clear();
    if (choices != m_choices) {
        m_choices = std::move(choices);
        qDeleteAll(m_switch->findChildren<SwitchChip*>(Qt::FindDirectChildrenOnly));
        for (const PanelChoice& choice : m_choices) {
            auto* chip = new SwitchChip(choice.name, m_switch);
            connect(chip, &QAbstractButton::clicked, this, [this, id = choice.id] { emit choiceMade(id); });
            chip->show();
        }
    }
    m_choice = current;
    const auto chips = m_switch->findChildren<QAbstractButton*>(QString(), Qt::FindDirectChildrenOnly);
    for (qsizetype i = 0; i < chips.size(); ++i)
        chips[i]->setChecked(m_choices[std::size_t(i)].id == current);
    placeButtons();
    update();
}

bool PanelHeader::showsSwitch() const { return !m_switch->isHidden(); }

void PanelHeader::addChoices(QMenu& menu)
{
    for (const PanelChoice& choice : m_choices) {
        QAction* action = menu.addAction(choice.name, this, [this, id = choice.id] { emit choiceMade(id); });
        action->setCheckable(true);
        action->setChecked(choice.id == m_choice);
    }
    if (!m_choices.empty())
        menu.addSeparator();
}

/// Places the chips of the switch. Hides the switch if it has no choices, if the window is narrower than NarrowWindow, or if the header has
/// no room for all chips.
void PanelHeader::placeSwitch()
{
    int right = 0;
    for (auto* chip : m_switch->findChildren<QAbstractButton*>(QString(), Qt::FindDirectChildrenOnly)) {
        chip->setGeometry(QRect(QPoint(right, 0), chip->sizeHint()));
        right += chip->width() + SwitchGap;
    }
    const int left = m_axis.labelWidth() + SwitchLeft;
    m_switch->setGeometry(left, (Height - SwitchChip::Height) / 2, right, SwitchChip::Height);
    const int tools = m_filter->isHidden() ? toolsLeft() : m_filter->x();
    m_switch->setVisible(!m_choices.empty() && window()->width() >= NarrowWindow && left + right < tools);
    const int pathLeft = m_switch->isHidden() ? left : m_switch->geometry().right() + 1;
    const QString complete = m_pathCount.isEmpty() ? m_pathText : tr("%1, %2").arg(m_pathText, m_pathCount);
    m_pathSwitch->setAccessibleName(complete);
    m_pathSwitch->setText(complete);
    if (pathLeft + m_pathSwitch->sizeHint().width() >= tools)
        m_pathSwitch->setText(m_pathText);
    const QSize size = m_pathSwitch->sizeHint();
    m_pathSwitch->setGeometry(QRect(QPoint(pathLeft, (Height - SwitchChip::Height) / 2), size));
    m_pathSwitch->setVisible(!m_pathText.isEmpty() && pathLeft + size.width() < tools);
}

int PanelHeader::switchRight() const
{
    const QWidget* const last = m_pathSwitch->isHidden() ? m_switch : static_cast<const QWidget*>(m_pathSwitch);
    return last->isHidden() ? m_axis.labelWidth() : last->geometry().right() + 1;
}

void PanelHeader::setPathSwitch(const QString& text, const QString& count, bool isOn)
{
    m_pathText = text;
    m_pathCount = count;
    m_pathSwitch->setChecked(isOn);
    placeButtons();
    update();
}

void PanelHeader::setSubtitle(const QString& subtitle)
{
    m_subtitle = subtitle;
    m_subtitleButton->setText(subtitle);
    m_subtitleButton->setAccessibleName(tr("%1: %2").arg(m_title, subtitle));
    placeSubtitle();
    update();
}

void PanelHeader::setRemark(const QString& remark)
{
    if (remark == m_remark)
        return;
    m_remark = remark;
    placeSubtitle();
    update();
}

void PanelHeader::setSubtitleSwitch(const QString& tip, bool isOn)
{
    m_subtitleButton->setToolTip(tip);
    m_subtitleButton->setAccessibleDescription(tip);
    m_subtitleButton->setChecked(isOn);
    m_isSubtitleSwitch = true;
    placeSubtitle();
}

void PanelHeader::setListButton(bool isListed)
{
    m_listButton->setChecked(isListed);
    m_listButton->setVisible(true);
    placeButtons();
}

/// True if the title of a column is painted. In a compact label column, only titles to the right of the column of ids are painted.
bool PanelHeader::isTitled(const ColumnTitle& column) const
{
    return column.isShown && (!isCompact(m_axis.labelWidth()) || column.right < idRightOf(m_axis.labelWidth()));
}

int PanelHeader::columnsLeft() const
{
    int left = m_axis.labelWidth();
    for (const ColumnTitle& column : m_columns)
        if (isTitled(column) || !isCompact(m_axis.labelWidth()))
            left = std::min(left, columnRect(column).left());
    return left;
}

int PanelHeader::subtitleWidth(const QString& subtitle)
{
    constexpr int Padding = 10;
    return int(QFontMetricsF(fonts().small()).horizontalAdvance(subtitle)) + Padding;
}

/// True if the subtitle fits beside the complete title.
bool PanelHeader::isRoomFor(const QString& subtitle) const
{
    const int title = int(std::ceil(QFontMetricsF(fonts().group()).horizontalAdvance(m_title)));
    return title + subtitleWidth(subtitle) <= columnsLeft() - titleLeft() - TitleGap;
}

/// Returns the subtitle as painted: abbreviates "12 of 163" to "12/163" if the title would otherwise be cut.
QString PanelHeader::shownSubtitle() const
{
    const QString withRemark = m_subtitle.isEmpty() ? m_remark : tr("%1, %2").arg(m_subtitle, m_remark);
    if (!m_remark.isEmpty() && isRoomFor(withRemark))
        return withRemark;
    static const QRegularExpression of(QStringLiteral("^([^,]*\\d) \\w+ (\\d)"));
    const QString shorter =
        isRoomFor(m_subtitle.section(u',', 0, 0)) ? m_subtitle : QString(m_subtitle).replace(of, QStringLiteral("\\1/\\2"));
    // In a compact label column, omit the subtitle if it would cut the title. If the subtitle is a button, the panel's menu has its toggle,
    // too.
    return isCompact(m_axis.labelWidth()) && !isRoomFor(shorter.section(u',', 0, 0)) ? QString() : shorter;
}

QRect PanelHeader::remarkRect() const
{
    if (m_remark.isEmpty() || shownSubtitle().endsWith(m_remark))
        return {};
    const int left = m_notice && m_notice->isVisible() ? m_notice->geometry().right() + 12 : switchRight() + 8;
    return {left, 0, int(std::ceil(QFontMetricsF(fonts().small()).horizontalAdvance(m_remark))), Height};
}

/// Returns the width of the title in pixels. The title is cut to leave room for the count, because a cut number would look like another
/// number. The title is not cut for texts that follow the count.
int PanelHeader::titleWidth() const
{
    constexpr int Least = 40;
    const int full = int(std::ceil(QFontMetricsF(fonts().group()).horizontalAdvance(m_title)));
    const int room = columnsLeft() - titleLeft() - TitleGap;
    // If the title and a painted subtitle do not both fit, the subtitle is cut. If the subtitle is a button (m_subtitleButton), the title
    // is cut, so that the subtitle's first part, the count, stays complete.
    const QString subtitle = shownSubtitle().section(u',', 0, 0);
    return std::min(full, std::max(Least, !hasSubtitleSwitch() || subtitle.isEmpty() ? room : room - subtitleWidth(subtitle)));
}

QRect PanelHeader::subtitleRect() const
{
    const int left = titleLeft() + titleWidth() + TitleGap;
    return {left, 0, std::max(0, columnsLeft() - left), Height};
}

/// Places the subtitle's button. Omits its icon if there is no room, and hides the button if it has no text or no width: a button that
/// cannot be seen must not get the focus.
void PanelHeader::placeSubtitle()
{
    constexpr int Icon = 18;
    const QRect room = subtitleRect().adjusted(-4, 2, 0, -2);
    m_subtitleButton->setText(shownSubtitle());
    const int text = shownSubtitle().isEmpty() ? 0 : subtitleWidth(shownSubtitle());
    const bool hasIcon = text + Icon <= room.width();
    m_subtitleButton->setToolButtonStyle(hasIcon ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonTextOnly);
    const int width = text > 0 ? std::min(room.width(), text + (hasIcon ? Icon : 0)) : 0;
    m_subtitleButton->setFixedSize(std::max(1, width), room.height());
    m_subtitleButton->move(room.topLeft());
    m_subtitleButton->setVisible(hasSubtitleSwitch() && width > 0);
    placeButtons();
}

void PanelHeader::setColumns(std::vector<ColumnTitle> columns)
{
    m_columns = std::move(columns);
    placeSubtitle();
    update();
}

void PanelHeader::setColumnShown(int sort, bool isShown)
{
    for (ColumnTitle& column : m_columns)
        column.isShown = column.sort == sort ? isShown : column.isShown;
    update();
}

void PanelHeader::setSorted(int sort, bool isDescending)
{
    m_sort = sort;
    m_isDescending = isDescending;
    update();
}

void PanelHeader::setCollapsed(bool isCollapsed)
{
    if (std::exchange(m_isCollapsed, isCollapsed) != isCollapsed)
        reportExpansion(*this);
    update();
}

void PanelHeader::setFilter(const QString& text)
{
    m_filterText = text;
    m_filter->setText(text);
    m_filter->setVisible(!text.isEmpty() || m_filter->hasFocus());
    update();
}

void PanelHeader::openFilter()
{
    m_filter->setVisible(true);
    m_filter->setFocus();
    placeButtons();
    update();
}

bool PanelHeader::eventFilter(QObject* object, QEvent* event)
{
    const bool isEscape = object == m_filter && (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride)
        && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
    if (isEscape && event->type() == QEvent::ShortcutOverride) {
        event->accept(); // The key is handled here: otherwise Esc would also clear the selected range.
        return true;
    }
    if (isEscape) {
        m_filter->clear();
        m_filter->hide();
        update();
        return true;
    }
    if (object == m_filter && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter
            || key == Qt::Key_Down) { // The key is handled here: otherwise the header would get it, and collapse.
            emit filterDone();
            return true;
        }
    }
    if (object == m_filter && event->type() == QEvent::FocusOut) {
        emit filterLeft();
        if (m_filter->text().isEmpty())
            m_filter->hide();
        update();
    }
    return QWidget::eventFilter(object, event);
}

void PanelHeader::placeButtons()
{
    const int y = (Height - m_moreButton->height()) / 2;
    m_moreButton->move(width() - 8 - m_moreButton->width(), y);
    m_filterButton->move(m_moreButton->x() - ButtonPitch, y);
    m_listButton->move(m_filterButton->x() - ButtonPitch, y);
    m_filter->setGeometry(toolsLeft() - FilterWidth - 4, 2, FilterWidth, Height - 4);
    placeSwitch();
    if (m_notice)
        m_notice->setGeometry(switchRight() + 8, 2, m_notice->sizeHint().width(), Height - 4);
}

void PanelHeader::resizeEvent(QResizeEvent*)
{
    placeButtons();
    m_marks = TimeMarks::of(m_axis, width());
}

QRect PanelHeader::columnRect(const ColumnTitle& column) const
{
    const int textWidth = int(tabularWidth(fonts().at(10.5, 500), column.text)) + 12;
    return {m_axis.labelWidth() - column.right - textWidth, 0, textWidth, Height};
}

int PanelHeader::toolsLeft() const { return m_listButton->isHidden() ? m_filterButton->x() : m_listButton->x(); }

void PanelHeader::paintLabels(QPainter& painter, const Theme& theme) const
{
    const QRect rect(0, 0, m_axis.labelWidth(), Height);
    if (m_badge.isNull())
        paintGlyph(painter, QRectF(7, 5, 14, 14), m_isCollapsed ? Glyph::ChevronRight : Glyph::ChevronDown, theme.color("text.secondary"));
    else
        painter.drawPixmap(QPointF(10, 4), m_badge);
    const QFont title = fonts().group();
    painter.setFont(title);
    painter.setPen(theme.color("text.primary"));
    const double baseline = centredBaseline(title, rect);
    painter.drawText(QPointF(titleLeft(), baseline), QFontMetricsF(title).elidedText(m_title, Qt::ElideMiddle, titleWidth()));
    const QFont small = fonts().at(10.5, 500);
    painter.setFont(small);
    for (const ColumnTitle& column : m_columns) {
        if (!isTitled(column))
            continue;
        const QRect place = columnRect(column);
        const bool isSorted = column.sort == m_sort;
        painter.setPen(theme.color(isSorted ? "text.secondary" : "text.hint"));
        drawTabular(painter, QRectF(place), Qt::AlignRight, column.text);
        if (isSorted)
            paintGlyph(painter, QRectF(place.left(), 8, 9, 9), m_isDescending ? Glyph::ChevronDown : Glyph::ChevronRight,
                       theme.color("text.secondary"));
    }
    const QRect room = subtitleRect();
    if (!m_subtitleButton->isHidden() || room.width() <= 20)
        return;
    painter.setFont(fonts().small());
    painter.setPen(theme.color("text.secondary"));
    drawTabularAt(painter, {double(room.left()), baseline},
                  QFontMetricsF(fonts().small()).elidedText(shownSubtitle(), Qt::ElideRight, room.width()));
}

void PanelHeader::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = helio::theme();
    painter.fillRect(rect(), theme.color("surface.header"));
    painter.fillRect(QRect(0, 0, width(), 1), theme.color("line.subtle"));
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.color("line.subtle"));
    paintLabels(painter, theme);
    paintTimeMarks(painter, TimeMarks::of(m_axis, width()), QRect(m_axis.labelWidth(), 0, width() - m_axis.labelWidth(), height()), theme);
    if (const QRect remark = remarkRect(); !remark.isEmpty()) {
        painter.fillRect(remark.adjusted(-5, 1, 5, -1), theme.color("surface.header"));
        painter.setFont(fonts().small());
        painter.setPen(theme.color("text.secondary"));
        painter.drawText(QPointF(remark.left(), centredBaseline(painter.font(), remark)), m_remark);
    }
    painter.setFont(fonts().legend());
    bool areAll = true;
    const auto chips = chipRects(&areAll);
    for (const auto& [rect, chip] : chips) { // The text gets a background, because it is painted over the time marks.
        painter.fillRect(rect.adjusted(-5, 1, 5, -1), theme.color("surface.header"));
        painter.setOpacity(m_focusChip.isEmpty() || m_focusChip == chip.text ? 1 : 0.35);
        paintSwatch(painter, QRectF(rect.left(), 7.5, 9, 9), chip.look, theme.color("surface.header"));
        painter.setPen(theme.color("text.secondary"));
        painter.drawText(QPointF(rect.left() + 14, centredBaseline(painter.font(), rect)), chip.text);
    }
    painter.setOpacity(1);
    if (!areAll && !chips.empty()) {
        const QRect& last = chips.back().first;
        painter.drawText(QPointF(last.right() + 12, centredBaseline(painter.font(), last)), QString(QChar(0x2026)));
    }
    if (hasFocus()) {
        painter.setPen(QPen(theme.color("accent.line"), 2));
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
}

void PanelHeader::mousePressEvent(QMouseEvent* event)
{
    const QPoint at = event->position().toPoint();
    if (event->button() != Qt::LeftButton)
        return;
    if (isOnEdge(at)) {
        m_dragFrom = event->globalPosition().toPoint().y();
        emit resizeBegan();
        return;
    }
    for (const ColumnTitle& column : m_columns) {
        if (isTitled(column)
            // The clickable area is 12 pixels wider than the title, so that a click near the edge does not collapse the panel.
            && columnRect(column).adjusted(0, 0, 12, 0).contains(at)) {
            emit columnClicked(column.sort);
            return;
        }
    }
    for (const auto& [rect, chip] : chipRects()) {
        if (rect.contains(at)) {
            emit chipClicked(chip.text);
            return;
        }
    }
    m_pressedAt = at;
}

/// Drags the panel's lower or upper edge, or the panel to another place among the panels.
void PanelHeader::mouseMoveEvent(QMouseEvent* event)
{
    if (m_dragFrom) {
        emit resized(event->globalPosition().toPoint().y() - *m_dragFrom);
        return;
    }
    if (!(event->buttons() & Qt::LeftButton)) { // The release of the mouse button was lost, for example to a dialog that opened meanwhile.
        m_pressedAt.reset();
        m_isMoving = false;
    }
    if (m_pressedAt && std::abs(event->position().toPoint().y() - m_pressedAt->y()) >= QApplication::startDragDistance())
        m_isMoving = true;
    if (m_isMoving) {
        setCursor(Qt::ClosedHandCursor);
        emit moved(event->globalPosition().toPoint());
        return;
    }
    setCursor(isOnEdge(event->position().toPoint()) ? Qt::SplitVCursor : Qt::ArrowCursor);
}

/// Ends a drag. A click on the header opens or closes the panel.
void PanelHeader::mouseReleaseEvent(QMouseEvent*)
{
    m_dragFrom.reset();
    const bool isClick = m_pressedAt.has_value() && !m_isMoving;
    m_pressedAt.reset();
    if (std::exchange(m_isMoving, false))
        unsetCursor();
    if (isClick && m_badge.isNull())
        emit toggled();
}

void PanelHeader::leaveEvent(QEvent*) { unsetCursor(); }

void PanelHeader::keyPressEvent(QKeyEvent* event)
{
    if (m_badge.isNull() && (event->key() == Qt::Key_Space || event->key() == Qt::Key_Return))
        emit toggled();
    else
        QWidget::keyPressEvent(event);
}

void PanelHeader::setLegendShown(bool isShown)
{
    m_isLegendShown = isShown;
    update();
}

/// Returns the left edge of the legend's area.
int PanelHeader::legendLeft() const
{
    if (const QRect remark = remarkRect(); !remark.isEmpty())
        return remark.right() + 16;
    return m_notice && m_notice->isVisible() ? m_notice->geometry().right() + 12 : switchRight() + 8;
}

void PanelHeader::setLegend(std::vector<LegendChip> legend)
{
    m_legend = std::move(legend);
    update();
    emit legendChanged();
}

void PanelHeader::setFurtherLegend(std::vector<LegendChip> legend)
{
    m_furtherLegend = std::move(legend);
    update();
}

std::vector<LegendChip> PanelHeader::shownLegend() const
{
    std::vector<LegendChip> all;
    if (!m_isLegendShown)
        return all;
    for (const LegendChip& chip : m_furtherLegend)
        if (std::ranges::find(m_legend, chip.text, &LegendChip::text) == m_legend.end())
            all.push_back(chip);
    all.insert(all.end(), m_legend.begin(), m_legend.end());
    return all;
}

void PanelHeader::setFocusChip(const QString& text)
{
    m_focusChip = text;
    update();
}

/// Returns the rectangles of the legend entries that fit. Entries at the end are omitted first, because they matter least. Sets `areAll` to
/// whether all fit.
std::vector<std::pair<QRect, LegendChip>> PanelHeader::chipRects(bool* areAll) const
{
    constexpr int Gap = 12;
    const QFontMetricsF metrics(fonts().legend());
    const int right = (m_filter->isVisible() ? m_filter->x() : toolsLeft()) - 14;
    const std::vector<LegendChip> legend = shownLegend();
    std::vector<int> widths;
    int all = -Gap;
    for (const LegendChip& chip : legend) {
        widths.push_back(14 + int(metrics.horizontalAdvance(chip.text)));
        all += Gap + widths.back();
    }
    const int dots = Gap + int(metrics.horizontalAdvance(QChar(0x2026)));
    std::size_t shown = legend.size();
    for (int room = right - legendLeft(); shown > 0 && all + (shown < legend.size() ? dots : 0) > room; --shown)
        all -= Gap + widths[shown - 1];
    if (areAll)
        *areAll = shown == legend.size();
    std::vector<std::pair<QRect, LegendChip>> rects;
    int x = right - all - (shown < legend.size() ? dots : 0);
    for (std::size_t i = 0; i < shown; ++i) {
        rects.emplace_back(QRect(x, 0, widths[i], Height), legend[i]);
        x += widths[i] + Gap;
    }
    return rects;
}

QStringList PanelHeader::legendInView() const
{
    QStringList texts;
    for (const auto& [rect, chip] : chipRects())
        texts << chip.text;
    return texts;
}

} // namespace helio
