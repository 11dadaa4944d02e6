#include "widgets/docks/bookmarks/bookmarks_view.h"

#include "widgets/controls/field_grid.h"
#include "widgets/controls/icons.h"
#include "widgets/controls/table_style.h"
#include "widgets/theme/themes.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace helio {

BookmarksView::BookmarksView(ViewContext& context, QWidget* parent)
    : PanelGround(parent)
    , m_context(context)
    , m_list(new QTreeWidget)
    , m_empty(makeLabel(tr("No bookmarks. Press M to add one at the cursor or for the selected range."), 12, 400, "text.secondary"))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_empty->setWordWrap(true);
    m_empty->setMargin(14);
    m_empty->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    layout->addWidget(m_empty, 1);
    layout->addWidget(m_list, 1);
    m_list->setHeaderLabels({tr("Name"), tr("Time"), tr("Duration")});
    styleTable(*m_list);
    m_list->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::SelectedClicked);
    m_list->setAccessibleName(tr("Bookmarks"));
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    m_list->installEventFilter(this);
    setFocusProxy(m_list);
    connect(m_list, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) { goTo(m_list->indexOfTopLevelItem(item)); });
    connect(m_list, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) { goTo(m_list->indexOfTopLevelItem(item)); });
    connect(m_list, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item) {
        if (!m_isFilling)
            m_context.bookmarks().rename(std::size_t(m_list->indexOfTopLevelItem(item)), item->text(0));
    });
    connect(&context.bookmarks(), &Bookmarks::changed, this, &BookmarksView::refill);
    connect(&context, &ViewContext::timeFormatChanged, this, &BookmarksView::refill);
    connect(&Themes::instance(), &Themes::changed, this, &BookmarksView::refill); // Make the icons again in the theme's colours.
    refill();
}

void BookmarksView::refill()
{
    m_isFilling = true;
    const int current = m_list->indexOfTopLevelItem(m_list->currentItem());
    m_list->clear();
    for (const Bookmark& bookmark : m_context.bookmarks().all()) {
        auto* item = new QTreeWidgetItem(m_list,
                                         {bookmark.name, timeText(bookmark.range.begin, m_context.timeFormat()),
                                          bookmark.range.isEmpty() ? QString() : durationText(bookmark.range.duration())});
        item->setFlags(item->flags() | Qt::ItemIsEditable);
        item->setIcon(0, QIcon(iconPixmap("bookmark", theme().color("mark.bookmark"), 16, 2)));
        item->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
        item->setToolTip(0, tr("Click to go there; F2 renames, Delete removes"));
    }
    m_list->setCurrentItem(m_list->topLevelItem(current));
    const bool isEmpty = m_context.bookmarks().all().empty();
    m_list->setVisible(!isEmpty);
    m_empty->setVisible(isEmpty);
    m_isFilling = false;
}

ShownCommand BookmarksView::shownCommand() const
{
    const int index = m_list->indexOfTopLevelItem(m_list->currentItem());
    const auto& all = m_context.bookmarks().all();
    if (index < 0 || std::size_t(index) >= all.size())
        return ShownCommand::none(all.empty() ? tr("There are no bookmarks.") : tr("Select a bookmark first."));
    const TimeRange range = all[std::size_t(index)].range;
    QStringList words = optionWords("--at", QString::number(nanoseconds(range.begin)));
    if (!range.isEmpty())
        words += rangeOptions(m_context.time(), range);
    return {words, {}, {}, {}};
}

void BookmarksView::goTo(int index)
{
    const auto& all = m_context.bookmarks().all();
    if (index < 0 || std::size_t(index) >= all.size())
        return;
    const TimeRange range = all[std::size_t(index)].range;
    if (range.isEmpty())
        return m_context.time().jump({.cursor = range.begin});
    TimeRange visible = m_context.time().visible();
    if (range.begin < visible.begin || range.end > visible.end)
        visible = {range.begin - range.duration() / 4, range.end + range.duration() / 4};
    m_context.time().jump({.cursor = range.begin, .selection = range, .visible = visible});
}

bool BookmarksView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_list && event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete) {
        if (const int index = m_list->indexOfTopLevelItem(m_list->currentItem()); index >= 0)
            m_context.bookmarks().remove(std::size_t(index));
        return true;
    }
    return PanelGround::eventFilter(watched, event);
}

} // namespace helio
