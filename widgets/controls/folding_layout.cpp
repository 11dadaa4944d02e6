#include "widgets/controls/folding_layout.h"

#include "widgets/controls/field_grid.h"
#include "widgets/controls/pill.h"

#include <QHelpEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QStyle>
#include <QToolButton>
#include <QToolTip>

#include <algorithm>

namespace helio {

ElidingLabel::ElidingLabel(int least, QWidget* parent)
    : QLabel(parent)
    , m_least(least)
{
    setTextFormat(Qt::PlainText);
}

QSize ElidingLabel::minimumSizeHint() const
{
    const QSize hint = QLabel::sizeHint();
    return {std::min(hint.width(), m_least), hint.height()};
}

QString ElidingLabel::shownText() const { return fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width()); }

void ElidingLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    style()->drawItemText(&painter, contentsRect(), int(alignment()), palette(), isEnabled(), shownText(), foregroundRole());
}

bool ElidingLabel::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && toolTip().isEmpty() && shownText() != text()) {
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), text().toHtmlEscaped(), this);
        return true;
    }
    return QLabel::event(event);
}

ElidingLabel* makeElidingLabel(int least, qreal size, int weight, const char* role)
{
    auto* label = new ElidingLabel(least);
    styleLabel(label, size, weight, role);
    return label;
}

FoldingLayout::FoldingLayout()
{
    setContentsMargins(0, 0, 0, 0);
    setSpacing(6);
}

void FoldingLayout::setFolding(Pill* pill) { m_pills.push_back({pill}); }

void FoldingLayout::setMore(QToolButton* more, bool isAlways)
{
    m_more = more;
    m_isMoreAlways = isAlways;
    more->setVisible(isAlways);
}

void FoldingLayout::addField(QLineEdit* field, int least, int most)
{
    field->setFixedHeight(22);
    field->setMinimumWidth(least);
    field->setMaximumWidth(most);
    addWidget(field, 2);
}

void FoldingLayout::setShown(QWidget* part, bool isShown)
{
    const auto it = std::ranges::find(m_pills, part, [](const Folding& it) -> const QWidget* { return it.pill; });
    if (it == m_pills.end())
        return part->setVisible(isShown);
    if (it->isWanted == isShown)
        return;
    it->isWanted = isShown;
    if (!it->isFolded || !isShown)
        part->setVisible(isShown);
    it->isFolded = it->isFolded && isShown;
    refresh();
}

const FoldingLayout::Folding* FoldingLayout::foldingOf(const QWidget* part) const
{
    const auto it = std::ranges::find(m_pills, part, [](const Folding& it) -> const QWidget* { return it.pill; });
    return it == m_pills.end() ? nullptr : &*it;
}

bool FoldingLayout::isShown(const QWidget* part) const
{
    const Folding* folding = foldingOf(part);
    return folding ? folding->isWanted : !part->isHidden();
}

bool FoldingLayout::isFolded(const Pill* pill) const
{
    const Folding* folding = foldingOf(pill);
    return folding && folding->isFolded;
}

void FoldingLayout::fillFolded(QMenu& menu) const
{
    bool isAny = false;
    for (const Folding& it : m_pills) {
        if (!it.isFolded)
            continue;
        isAny = true;
        if (QMenu* choices = it.pill->menu()) {
            choices->setTitle(it.pill->text());
            menu.addMenu(choices);
            continue;
        }
        QAction* action = menu.addAction(it.pill->text(), it.pill, &QAbstractButton::click);
        action->setCheckable(it.pill->isCheckable());
        action->setChecked(it.pill->isChecked());
        action->setEnabled(it.pill->isEnabled());
        action->setToolTip(it.pill->toolTip());
    }
    if (isAny)
        menu.addSeparator();
}

void FoldingLayout::refresh()
{
    for (const Folding& it : m_pills)
        it.pill->updateGeometry();
    invalidate();
    if (geometry().width() > 0)
        fold(geometry().width());
}

int FoldingLayout::moreWidth() const
{
    return m_more ? m_more->sizeHint().expandedTo(m_more->minimumSize()).boundedTo(m_more->maximumSize()).width() : 0;
}

int FoldingLayout::leastWidth() const
{
    int width = 0;
    bool isFirst = true;
    for (int i = 0; i < count(); ++i) {
        const QLayoutItem* item = itemAt(i);
        const QWidget* widget = const_cast<QLayoutItem*>(item)->widget();
        if (widget && (widget == m_more || foldingOf(widget)))
            continue;
        if (widget && item->isEmpty())
            continue;
        width += item->minimumSize().width();
        if (widget)
            width += std::exchange(isFirst, false) ? 0 : spacing();
    }
    return width;
}

QSize FoldingLayout::minimumSize() const
{
    const QMargins margins = contentsMargins();
    const bool needsMore = m_more && (m_isMoreAlways || std::ranges::any_of(m_pills, &Folding::isWanted));
    return {leastWidth() + (needsMore ? spacing() + moreWidth() : 0) + margins.left() + margins.right(),
            QHBoxLayout::minimumSize().height()};
}

/// Shows the pills that fit from the left; all pills after the first one that does not fit move into the menu.
void FoldingLayout::fold(int width)
{
    if (m_isFolding)
        return;
    m_isFolding = true;
    const auto widthOf = [this](const Folding& it) { return it.isWanted ? it.pill->sizeHint().width() + spacing() : 0; };
    int needed = 0;
    for (const Folding& it : m_pills)
        needed += widthOf(it);
    int room = width - leastWidth() - (m_isMoreAlways ? moreWidth() + spacing() : 0);
    const bool fits = !m_more || needed <= room;
    room -= m_isMoreAlways ? 0 : moreWidth() + spacing();
    bool isFull = false;
    for (Folding& it : m_pills) {
        isFull = isFull || (!fits && widthOf(it) > room);
        room -= widthOf(it);
        it.isFolded = it.isWanted && isFull;
        if (it.pill->isHidden() == (it.isWanted && !it.isFolded))
            it.pill->setVisible(it.isWanted && !it.isFolded);
    }
    if (m_more && m_more->isHidden() == (m_isMoreAlways || isFull))
        m_more->setVisible(m_isMoreAlways || isFull);
    QHBoxLayout::invalidate();
    m_isFolding = false;
}

void FoldingLayout::setGeometry(const QRect& rect)
{
    fold(rect.width());
    QHBoxLayout::setGeometry(rect);
}

} // namespace helio
