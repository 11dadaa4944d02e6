// The user's choices for a panel's rows: sorting, list or tree, pinned and hidden rows, and the menus for them.

#include "core/query/rows/row_lookup.h"
#include "core/query/rows/views.h"
#include "core/query/segments/segments.h"
#include "widgets/controls/copy_text.h"
#include "widgets/timeline/panels/track_panel.h"
#include "widgets/workspace/context_settings.h"
#include "widgets/workspace/path_choice.h"

#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>

#include <utility>

namespace helio {

ShownCommand TrackPanel::shownCommand() const
{
    const auto timeline = m_context.timeline();
    if (!timeline)
        return ShownCommand::none(tr("No trace is open."));
    if (id() == PathRelation) {
        const auto& question = PathChoice::of(m_context).question();
        return question ? pathCommand(*timeline, m_context.time(), *question, {}) : ShownCommand::none(tr("No critical path is shown."));
    }
    const std::vector<std::string> views = viewsOfStates(*timeline);
    if (std::ranges::find(views, id()) == views.end())
        return ShownCommand::none(tr("No command prints the stacks of samples over time."));
    return {QStringList{"states"} + optionWords("--view", QString::fromStdString(id()))
                + rangeOptions(m_context.time(), m_context.time().focus()),
            {},
            {}};
}

namespace {

/// True if the text is the row's number, or the beginning of a word in its name: "worker" matches worker-2, but not every idle kworker.
bool isNamed(const Row& row, const QString& text)
{
    const QString name = QString::fromStdString(row.label);
    if (const auto whole = wholeName(text))
        return name == *whole;
    if (text.isEmpty() || QString::number(row.tid) == text || QString::fromStdString(row.id) == text)
        return !text.isEmpty();
    for (qsizetype at = name.indexOf(text, 0, Qt::CaseInsensitive); at >= 0; at = name.indexOf(text, at + 1, Qt::CaseInsensitive))
        if (at == 0 || !name[at - 1].isLetterOrNumber())
            return true;
    return false;
}

/// True if the critical path crosses the row in the time range.
bool isHighlightedIn(const HighlightMask& light, TrackRef row, TimeRange range)
{
    const auto ranges = light.rows.find(row);
    if (ranges == light.rows.end())
        return false;
    const auto first = std::ranges::upper_bound(ranges->second, range.begin, {}, &TimeRange::end);
    return first != ranges->second.end() && first->begin < range.end;
}

} // namespace

/// Hides rows off the shown critical path and rows without activity, except the selected row, the row under the pointer and rows that match
/// the filter. A row whose part of the path is in the visible range stays, even if it only waits there.
void TrackPanel::applyHiding()
{
    const bool areRestingHidden = hidesResting() && m_uses.resting;
    if (!areRestingHidden && !hidesOffPath())
        return m_tree.setAccepts({});
    auto accepts = [resting = areRestingHidden ? m_uses.resting : nullptr, path = hidesOffPath() ? m_onPath : decltype(m_onPath)(),
                    light = axis().pathIntervals(), window = axis().window().visible(), selected = axis().window().row(),
                    hovered = graph()->hoveredTrack(), filter = header()->filter()->text().trimmed()](const Row& row) {
        if (row.ref == selected || row.ref == hovered || isNamed(row, filter))
            return true;
        if (!path.empty() && (!path.contains(row.ref) || isHighlightedIn(*light, row.ref, window)))
            return path.contains(row.ref);
        return !resting || !resting->contains(row.ref);
    };
    m_tree.setAccepts(std::move(accepts), !hidesOffPath());
}

/// Finds the rows that the shown critical path crosses. Rows of a call stack belong to the path with the row of their thread.
void TrackPanel::updatePathRows()
{
    m_onPath.clear();
    m_offPathCount = 0;
    if (const auto& path = axis().pathIntervals()) {
        const std::vector<Row>& rows = m_tree.rows();
        for (const Row& row : rows)
            if (row.ref.isValid() && path->rows.contains(row.ref)) {
                m_onPath.insert(row.ref);
                if (isBelowStack(rows, row))
                    m_onPath.insert(rows[std::size_t(row.parent)].ref);
            }
        for (const Row& row : rows)
            if (isBelowStack(rows, row) && m_onPath.contains(rows[std::size_t(row.parent)].ref))
                m_onPath.insert(row.ref);
        std::vector<char> isShown(rows.size(), 0);
        for (std::size_t i = rows.size(); i-- > 0;) { // Parents precede their children.
            isShown[i] = char(isShown[i] || m_onPath.contains(rows[i].ref));
            if (isShown[i] && rows[i].parent >= 0)
                isShown[std::size_t(rows[i].parent)] = 1;
            m_offPathCount += !isShown[i] && rows[i].ref.isValid();
        }
    }
    applyHiding();
}

/// Updates the header's switch for the rows off the critical path. It is shown if there are any.
void TrackPanel::showPathSwitch()
{
    if (m_onPath.empty() || m_offPathCount == 0)
        return header()->setPathSwitch({}, {}, false);
    const QString hidden = axis().showsOnlyPath() ? tr("%1 hidden").arg(countText(qint64(m_offPathCount))) : QString();
    header()->setPathSwitch(tr("Only rows on the path"), hidden, axis().showsOnlyPath());
}

QJsonObject TrackPanel::save() const
{
    QJsonObject kept = m_tree.save();
    kept["filter"] = header()->filter()->text();
    if (m_canHideResting)
        kept["resting"] = !axis().hidesResting();
    if (!m_folds)
        kept["folds"] = false;
    if (!(m_frames == FrameChoice()))
        kept["frames"] = toJson(m_frames);
    return kept;
}

void TrackPanel::restore(const QJsonObject& kept)
{
    m_tree.restore(kept);
    header()->setFilter(kept["filter"].toString());
    setFrames(frameChoiceFrom(kept["frames"].toObject()));
    setFolds(kept["folds"].toBool(true));
    if (m_canHideResting)
        axis().setHidesResting(!kept["resting"].toBool());
    applyHiding();
    onSortChanged();
}

void TrackPanel::setFolds(bool folds)
{
    if (std::exchange(m_folds, folds) != folds && axis().timeline())
        requestRows();
}

void TrackPanel::setCanHideResting()
{
    m_canHideResting = true;
    showSubtitle();
}

void TrackPanel::setCanList()
{
    m_canList = true;
    m_tree.setInitialSort(RowTree::Column::Total, true);
    showSorting();
}

void TrackPanel::setListed(bool isListed)
{
    m_tree.setFlat(isListed);
    if (isListed)
        m_tree.setSort(RowTree::Column::Share, true);
    else
        m_tree.restoreInitialSort();
    m_reveals = true;
    onSortChanged();
}

void TrackPanel::setRowOrder(const RowOrder& order)
{
    if (order == rowOrder())
        return;
    m_tree.setFlat(order.isListed);
    m_tree.setSort(order.column, order.isDescending);
    onSortChanged();
}

void TrackPanel::setRanks(std::shared_ptr<const RowTree::Ranks> ranks)
{
    m_tree.setRanks(std::move(ranks));
    arrange();
}

/// Returns the indexes of the rows that are in this panel.
std::vector<std::int32_t> TrackPanel::indexesOf(const std::vector<TrackRef>& rows) const
{
    std::vector<std::int32_t> indexes;
    for (const TrackRef row : rows)
        if (const std::int32_t index = m_tree.find(row); index >= 0)
            indexes.push_back(index);
    return indexes;
}

/// Returns the rows of the box that the user selected, if the box contains `row` and all of its rows are in this panel; otherwise only
/// `row`.
std::vector<TrackRef> TrackPanel::boxAround(TrackRef row) const
{
    const std::vector<TrackRef>& box = axis().boxRows();
    const bool isInside = std::ranges::find(box, row) != box.end() && indexesOf(box).size() == box.size();
    return isInside ? box : std::vector<TrackRef>{row};
}

void TrackPanel::togglePin(TrackRef row) { togglePins({row}); }

void TrackPanel::togglePins(const std::vector<TrackRef>& rows)
{
    const std::vector<std::int32_t> indexes = indexesOf(rows);
    if (indexes.empty())
        return;
    const bool arePinned = std::ranges::all_of(indexes, [this](std::int32_t index) { return m_tree.isPinned(index); });
    const QString name = indexes.size() == 1 ? rowName(indexes.front()) : tr("%1 rows").arg(countText(qint64(indexes.size())));
    edit((arePinned ? tr("Unpin %1") : tr("Pin %1")).arg(name), [&] {
        for (const std::int32_t index : indexes)
            if (m_tree.isPinned(index) == arePinned)
                m_tree.setPinned(index, !arePinned);
    });
    showPinned();
}

/// Moves a pinned row to another position among the pinned rows.
void TrackPanel::movePinned(TrackRef row, int to)
{
    const std::int32_t index = m_tree.find(row);
    if (index < 0)
        return;
    edit(
        tr("Move pinned row %1").arg(rowName(index)), [&] { m_tree.movePinned(index, to); },
        "move/" + QString::fromStdString(rowSet()[index].id));
    showPinned();
}

/// Changes what the rows show, and reports the change.
void TrackPanel::edit(const QString& text, const std::function<void()>& change, const QString& mergeKey)
{
    const QJsonObject before = save();
    change();
    const QJsonObject after = save();
    QJsonObject was, is;
    for (const QString& key : before.keys() + after.keys())
        if (before[key] != after[key]) {
            was[key] = before.contains(key) ? before[key] : QJsonValue(QJsonValue::Null);
            is[key] = after.contains(key) ? after[key] : QJsonValue(QJsonValue::Null);
        }
    if (!is.isEmpty())
        emit choicesEdited(text, was, is, mergeKey);
}

/// Returns the name of a row; of the whole stack for a call depth, which has no name.
QString TrackPanel::rowName(std::int32_t index) const
{
    const std::int32_t stack = m_tree.depthOf(index).first;
    return QString::fromStdString(rowSet()[stack >= 0 ? stack : index].label);
}

void TrackPanel::unhideRows()
{
    edit(tr("Unhide rows"), [this] { m_tree.showAll(); });
    arrange();
}

void TrackPanel::hideRows(const std::vector<TrackRef>& rows)
{
    const std::vector<std::int32_t> indexes = indexesOf(rows);
    if (indexes.empty())
        return;
    if (std::ranges::find(rows, axis().window().row()) != rows.end())
        axis().window().setRow({});
    const QString name = indexes.size() == 1 ? rowName(indexes.front()) : tr("%1 rows").arg(countText(qint64(indexes.size())));
    edit(tr("Hide %1").arg(name), [&] {
        for (const std::int32_t index : indexes)
            m_tree.hide(index);
    });
    arrange();
}

void TrackPanel::open(std::int32_t index, bool isOpen)
{
    if (index < 0)
        return;
    std::vector<std::int32_t> pending{index};
    while (!pending.empty()) {
        const std::int32_t at = pending.back();
        pending.pop_back();
        const auto children = rowSet().children(at);
        if (!children.empty())
            m_tree.setOpen(at, isOpen);
        pending.insert(pending.end(), children.begin(), children.end());
    }
    arrange();
}

void TrackPanel::sortBy(int column)
{
    const auto wanted = RowTree::Column(column);
    const bool isSame = m_tree.sortColumn() == wanted;
    const bool startsDescending = wanted == RowTree::Column::Share;
    if (isSame && m_tree.isDescending() != startsDescending) // The third click restores the initial order.
        m_tree.restoreInitialSort();
    else
        m_tree.setSort(wanted, isSame ? !m_tree.isDescending() : startsDescending);
    onSortChanged();
}

void TrackPanel::onSortChanged()
{
    showSorting();
    requestUses();
    arrange();
    emit rowOrderChosen();
}

void TrackPanel::showSorting()
{
    const RowTree::Column column = m_tree.sortColumn();
    const bool hasTitle = column != RowTree::Column::Time && column != RowTree::Column::Total;
    header()->setSorted(hasTitle ? int(column) : -1, m_tree.isDescending());
    if (m_canList)
        header()->setListButton(m_tree.isFlat());
}

void TrackPanel::fillMenu(QMenu& menu)
{
    if (m_canHideResting) {
        QAction* hide = menu.addAction(tr("Hide idle rows"));
        hide->setCheckable(true);
        hide->setChecked(axis().hidesResting());
        connect(hide, &QAction::toggled, &axis(), &TimeAxis::setHidesResting);
    }
    if (!m_onPath.empty()) {
        QAction* path = menu.addAction(tr("Only rows on the path"));
        path->setCheckable(true);
        path->setChecked(axis().showsOnlyPath());
        connect(path, &QAction::toggled, &axis(), &TimeAxis::setShowsOnlyPath);
    }
    if (m_hasStealTime) {
        QAction* stolen = menu.addAction(tr("Exclude steal time"));
        stolen->setToolTip(tr("Exclude the guests' steal time from the numbers, which otherwise are as the guests recorded them"));
        stolen->setCheckable(true);
        stolen->setChecked(StealTimeSetting::of(m_context).isCounted());
        connect(stolen, &QAction::toggled, &StealTimeSetting::of(m_context), &StealTimeSetting::setCounted);
    }
    if (m_canList) {
        QAction* list = menu.addAction(tr("List by CPU time"));
        list->setCheckable(true);
        list->setChecked(isListed());
        connect(list, &QAction::toggled, this, &TrackPanel::setListed);
        QAction* fold = menu.addAction(tr("Fold short-lived processes"));
        fold->setToolTip(tr("Collect short-lived processes of the same name and parent in a single row"));
        fold->setCheckable(true);
        fold->setChecked(m_folds);
        connect(fold, &QAction::toggled, this, [this](bool folds) {
            edit(folds ? tr("Fold short-lived processes") : tr("Unfold short-lived processes"), [&] { setFolds(folds); });
        });
    }
    addMoves(menu);
    addDepths(menu);
    addFrames(menu);
    menu.addSeparator();
    menu.addAction(tr("Filter rows…"), this, [this] { header()->openFilter(); });
    menu.addSeparator();
    menu.addAction(tr("Expand all"), this, [this] {
        m_tree.setAllOpen(true);
        arrange();
    });
    menu.addAction(tr("Collapse all"), this, [this] {
        m_tree.setAllOpen(false);
        arrange();
    });
    QAction* showAll = menu.addAction(tr("Unhide rows"), this, &TrackPanel::unhideRows);
    showAll->setEnabled(m_tree.hasHidden());
    menu.addSeparator();
    QMenu* sort = menu.addMenu(tr("Sort by"));
    const auto addOrder = [&](const QString& name, RowTree::Column column, bool isDescending) {
        QAction* order = sort->addAction(name, this, [this, column, isDescending] {
            m_tree.setSort(column, isDescending);
            onSortChanged();
        });
        order->setCheckable(true);
        order->setChecked(m_tree.sortColumn() == column);
    };
    if (m_canList)
        addOrder(tr("CPU time, whole trace"), RowTree::Column::Total, true);
    addOrder(tr("CPU time, visible range"), RowTree::Column::Share, true);
    addOrder(tr("Name"), RowTree::Column::Name, false);
    addOrder(tr("Number"), RowTree::Column::Id, false);
    addOrder(tr("As recorded"), RowTree::Column::Time, false);
}

namespace {

constexpr int DepthChoices[] = {0, 1, 2, 3, 4, 6, 8, 12, 16, 24};

bool hasStacks(const std::vector<Row>& rows)
{
    return std::ranges::any_of(rows, [](const Row& row) { return row.valueKind == ValueKind::Frame; });
}

} // namespace

void TrackPanel::setFrames(FrameChoice frames)
{
    if (frames == m_frames)
        return;
    m_frames = std::move(frames);
    graph()->setFrames(m_frames);
    pinnedGraph()->setFrames(m_frames);
    showSubtitle();
    updateLegend();
}

void TrackPanel::editFrames(const QString& text, FrameChoice frames)
{
    edit(text, [&] { setFrames(std::move(frames)); });
}

void TrackPanel::setFocusState(const QString& legend)
{
    const bool isOfModule = std::ranges::find(m_modules, legend.toStdString(), &FrameModule::name) != m_modules.end();
    FrameChoice frames = m_frames;
    if (isOfModule)
        frames.focus = {legend.toStdString()};
    else if (isModuleInFocus())
        frames.focus.clear();
    GraphPanel::setFocusState(isOfModule ? QString() : legend);
    setFrames(std::move(frames));
    header()->setFocusChip(legend);
}

bool TrackPanel::isModuleInFocus() const
{
    return m_frames.focus.size() == 1 && std::ranges::find(m_modules, m_frames.focus.front(), &FrameModule::name) != m_modules.end();
}

QString TrackPanel::focusState() const
{
    return isModuleInFocus() ? QString::fromStdString(m_frames.focus.front()) : GraphPanel::focusState();
}

/// Adds the submenu in which the user chooses the shown calls.
void TrackPanel::addFrames(QMenu& menu)
{
    if (!hasStacks(m_tree.rows()))
        return;
    QMenu* calls = menu.addMenu(tr("Calls"));
    QAction* byFunction = calls->addAction(tr("Colour by function"), this, [this](bool isOn) {
        FrameChoice frames = m_frames;
        frames.isByFunction = isOn;
        setFrames(std::move(frames));
    });
    byFunction->setCheckable(true);
    byFunction->setChecked(m_frames.isByFunction);
    calls->addSeparator();
    calls->addAction(tr("Focus on…"), this, [this] {
        addFrames(tr("Focus"), tr("Functions and modules to keep in full colour, e.g. parse* or libc.so*:"), &FrameChoice::focus);
    });
    calls->addAction(tr("Hide functions…"), this,
                     [this] { addFrames(tr("Hide functions"), tr("Functions to hide, e.g. std::*:"), &FrameChoice::hiddenFunctions); });
    calls->addAction(tr("Hide modules…"), this, [this] {
        addFrames(tr("Hide modules"), tr("Programs and libraries to hide, e.g. libc.so*:"), &FrameChoice::hiddenModules);
    });
    calls->addSeparator();
    addPatterns(*calls, tr("In focus: %1"), &FrameChoice::focus);
    addPatterns(*calls, tr("Without %1"), &FrameChoice::hiddenFunctions);
    addPatterns(*calls, tr("Without %1"), &FrameChoice::hiddenModules);
    addShowAll(*calls);
}

/// Adds an action per pattern that removes the pattern.
void TrackPanel::addPatterns(QMenu& menu, const QString& words, std::vector<std::string> FrameChoice::*patterns)
{
    for (const std::string& pattern : m_frames.*patterns) {
        QAction* line = menu.addAction(words.arg(QString::fromStdString(pattern)), this, [this, patterns, pattern] {
            FrameChoice frames = m_frames;
            std::erase(frames.*patterns, pattern);
            editFrames(tr("Show calls of %1").arg(QString::fromStdString(pattern)), std::move(frames));
        });
        line->setCheckable(true);
        line->setChecked(true);
    }
}

void TrackPanel::addFrames(const QString& title, const QString& question, std::vector<std::string> FrameChoice::*patterns)
{
    const QString pattern = QInputDialog::getText(this, title, question).trimmed();
    if (pattern.isEmpty())
        return;
    FrameChoice frames = m_frames;
    (frames.*patterns).push_back(pattern.toStdString());
    editFrames(tr("%1 %2").arg(title, pattern), std::move(frames));
}

void TrackPanel::addShowAll(QMenu& menu)
{
    QAction* all = menu.addAction(tr("Show all calls"), this, [this] {
        FrameChoice frames;
        frames.isByFunction = m_frames.isByFunction;
        editFrames(tr("Show all calls"), std::move(frames));
    });
    all->setEnabled(m_frames.isLimited());
}

/// Adds menu items that act on the call at the cursor, for example "Hide NAME". Returns the name of the called function; empty if there is
/// no call at the cursor.
QString TrackPanel::addFrameActions(QMenu& menu, TrackRef row)
{
    const auto timeline = axis().timeline();
    const auto call =
        valueKindOf(*timeline, row) == ValueKind::Frame ? intervalAt(*timeline, row, axis().window().cursor()) : std::vector<Interval>();
    if (call.empty())
        return {};
    const StackId stack{call[0].value};
    const std::string function = frameText(*timeline, row.store, stack);
    const QString name = QString::fromStdString(function);
    if (callAt(*timeline, row, axis().window().cursor()))
        menu.addAction(tr("Show durations of %1").arg(name), this, [this] { m_context.showView("durations"); });
    QMenu* calls = menu.addMenu(tr("Show and hide calls"));
    const auto add = [&](const QString& text, std::vector<std::string> FrameChoice::*patterns, const std::string& pattern) {
        if (!pattern.empty())
            calls->addAction(text.arg(QString::fromStdString(pattern)), this, [this, patterns, pattern, text] {
                FrameChoice frames = m_frames;
                (frames.*patterns).push_back(pattern);
                editFrames(text.arg(QString::fromStdString(pattern)), std::move(frames));
            });
    };
    add(tr("Focus on %1"), &FrameChoice::focus, function);
    add(tr("Hide %1"), &FrameChoice::hiddenFunctions, function);
    add(tr("Hide module %1"), &FrameChoice::hiddenModules, frameModuleText(*timeline, row.store, stack));
    calls->addSeparator();
    addShowAll(*calls);
    return name;
}

/// Adds the submenu for the number of depths that call stacks show.
void TrackPanel::addDepths(QMenu& menu)
{
    if (!hasStacks(m_tree.rows()))
        return;
    QMenu* depths = menu.addMenu(tr("Depths"));
    for (const int count : DepthChoices) {
        QAction* choice = depths->addAction(count == 0 ? tr("All") : QString::number(count), this, [this, count] {
            m_tree.setMostDepths(count);
            arrange();
        });
        choice->setCheckable(true);
        choice->setChecked(m_tree.mostDepths() == count);
    }
}

void TrackPanel::addStackActions(QMenu& menu, std::int32_t index)
{
    const auto [stack, depth] = m_tree.depthOf(index);
    const auto show = [this](std::int32_t of, int count) {
        m_tree.setMostDepths(of, count);
        arrange();
    };
    if (depth > 0)
        menu.addAction(tr("Hide depths below"), this, [show, stack, depth] { show(stack, depth); });
    if (stack >= 0 && m_tree.mostDepths(stack) > 0)
        menu.addAction(tr("Show all depths"), this, [show, stack] { show(stack, 0); });
}

/// Adds the menu items that pin, hide, expand and collapse the row, and that set the shown depths of its call stack.
void TrackPanel::addRowStateActions(QMenu& menu, std::int32_t index, TrackRef row)
{
    if (const std::vector<TrackRef> box = boxAround(row); box.size() > 1) {
        const QString count = countText(qint64(box.size()));
        const bool arePinned = std::ranges::all_of(indexesOf(box), [this](std::int32_t it) { return m_tree.isPinned(it); });
        menu.addAction((arePinned ? tr("Unpin %1 rows") : tr("Pin %1 rows to top")).arg(count), this, [this, box] { togglePins(box); });
        menu.addAction(tr("Hide %1 rows").arg(count), this, [this, box] { hideRows(box); });
    } else {
        menu.addAction(m_tree.isPinned(index) ? tr("Unpin") : tr("Pin to top"), this, [this, row] { togglePin(row); });
        menu.addAction(tr("Hide this row"), this, [this, row] { hideRow(row); });
    }
    if (m_tree.hasHidden())
        menu.addAction(tr("Unhide rows"), this, &TrackPanel::unhideRows);
    addStackActions(menu, index);
    if (!rowSet().children(index).empty()) {
        menu.addAction(tr("Expand all below"), this, [this, row] { open(m_tree.find(row), true); });
        menu.addAction(tr("Collapse all below"), this, [this, row] { open(m_tree.find(row), false); });
    }
}

/// Adds menu items that act on `row`. For a row of calls, the items for the row and the items that copy are in submenus, because one list
/// would be too long.
void TrackPanel::addRowActions(QMenu& menu, TrackRef row)
{
    const std::int32_t index = m_tree.find(row);
    const auto timeline = axis().timeline();
    if (index < 0 || !timeline)
        return;
    const std::int32_t stack = m_tree.depthOf(index).first;
    const Row& it = rowSet()[stack >= 0 ? stack : index]; // Rows of deeper frames have no names, so the name of the stack is used.
    const bool isOfCalls = valueKindOf(*timeline, row) == ValueKind::Frame;
    const QString function = addFrameActions(menu, row);
    addRowStateActions(isOfCalls ? *menu.addMenu(tr("Row")) : menu, index, row);
    menu.addSeparator();
    const QString name = QString::fromStdString(it.label);
    const QString id = it.shownTid() >= 0 ? QString::number(it.tid) : QString::fromStdString(it.id);
    if (const QString events = QString::fromStdString(eventsOf(*timeline, row)); !events.isEmpty())
        menu.addAction(tr("Show only events of %1").arg(name), this, [this, events] { m_context.filter(events); });
    QMenu& copies = isOfCalls ? *menu.addMenu(tr("Copy")) : menu;
    const auto addCopy = [&](const QString& text, const QString& copied) { copies.addAction(text, this, [copied] { copyText(copied); }); };
    if (!function.isEmpty())
        addCopy(tr("Copy function name"), function);
    addCopy(isOfCalls ? tr("Copy thread name") : tr("Copy name"), name);
    addCopy(it.shownTid() >= 0 ? tr("Copy TID %1").arg(id) : tr("Copy ID %1").arg(id), id);
}

} // namespace helio
