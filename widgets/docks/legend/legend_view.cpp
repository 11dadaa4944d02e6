#include "widgets/docks/legend/legend_view.h"

#include "core/query/rows/statistics.h"
#include "core/query/rows/views.h"
#include "widgets/controls/value_label.h"
#include "widgets/paint/state_bar.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"
#include "widgets/workspace/context_settings.h"

#include <QGridLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace helio {

namespace {

/// Delay in ms after a change of the visible range, before the durations of the states are computed. Several quick changes then cause only
/// one computation.
constexpr int FetchDelay = 200;

QString shareText(double share)
{
    if (share > 0 && share < 0.0005)
        return QStringLiteral("<0.1 %");
    return QStringLiteral("%1 %").arg(100 * share, 0, 'f', 1);
}

QString keyOf(const StateSet& set, std::size_t state) { return text(set.id) + QLatin1Char('/') + text(set.states[state].name); }

} // namespace

LegendView::LegendView(ViewContext& context, QWidget* parent)
    : ScrollPage(parent)
    , m_context(context)
    , m_answer(DebouncedQuery::Pace::Debounce, FetchDelay, [this] { fetch(); })
{
    connect(&context, &ViewContext::timelineChanged, &m_answer, &DebouncedQuery::soon);
    connect(&context.time(), &TimeWindow::visibleChanged, &m_answer, &DebouncedQuery::soon);
    connect(&Themes::instance(), &Themes::changed, this, &LegendView::rebuild);
    connect(&StateFocus::of(context), &StateFocus::changed, this, &LegendView::showFocus);
    rebuild();
}

ShownCommand LegendView::shownCommand() const
{
    const auto timeline = m_context.timeline();
    if (!timeline)
        return ShownCommand::none(tr("No trace is open."));
    const std::vector<std::string> views = viewsOfStates(*timeline);
    const std::string threads = findViewWithRole(*timeline, TrackRole::Thread);
    const bool areThreads = std::ranges::find(views, threads) != views.end();
    if (views.empty())
        return ShownCommand::none(tr("No states were recorded."));
    return {QStringList{"stats"} + optionWords("--view", text(areThreads ? threads : views.front()))
                + rangeOptions(m_context.time(), m_context.time().visible()),
            {},
            {},
            {}};
}

void LegendView::showEvent(QShowEvent* event)
{
    ScrollPage::showEvent(event);
    m_answer.now();
}

LegendView::SetSums* LegendView::sumsOf(Sums& sums, const StateSet& set)
{
    const auto found = std::ranges::find_if(sums, [&](const SetSums& it) { return it.set.id == set.id; });
    return found == sums.end() ? nullptr : &*found;
}

/// Returns the rows of a view for which states are counted, and adds entries for the state sets of these rows to
/// `sums`.
std::vector<TrackRef> LegendView::tracksOf(const Timeline& timeline, const std::string& view, Sums& sums)
{
    std::vector<TrackRef> tracks;
    for (const Row& row : rows(timeline, view)) {
        const StateSet& set = statesOf(timeline, row.ref);
        if (!row.ref.isValid() || row.valueKind == ValueKind::Number || set.title.empty())
            continue;
        if (!sumsOf(sums, set))
            sums.push_back({set, std::vector<Sum>(set.states.size())});
        tracks.push_back(row.ref);
    }
    return tracks;
}

void LegendView::fetch()
{
    const auto timeline = m_context.timeline();
    const TimeRange range = m_context.time().visible();
    if (!isVisible())
        return;
    if (!timeline) {
        m_answer.cancel();
        m_sums.clear();
        return rebuild();
    }
    m_answer.post([this, timeline, range](std::stop_token stop) -> LatestTask::Delivery {
        Sums sums;
        for (const std::string& view : viewsOf(*timeline))
            for (const TrackRef row : tracksOf(*timeline, view, sums)) {
                if (stop.stop_requested())
                    break;
                if (const auto use = rowUtilizations(*timeline, std::span(&row, 1), range, stop); use.empty() || use.front().isInactive)
                    continue;
                SetSums& set = *sumsOf(sums, statesOf(*timeline, row));
                for (const StateTotal& total : totals(*timeline, row, range))
                    if (const auto state = std::size_t(total.state); state < set.sums.size()) {
                        set.sums[state].count += total.count;
                        set.sums[state].total += total.total;
                    }
            }
        return [this, sums = std::move(sums)] {
            const bool isKnown = std::ranges::equal(m_sums, sums, {}, &SetSums::set, &SetSums::set);
            m_sums = sums;
            isKnown ? refill() : rebuild();
        };
    });
}

void LegendView::rebuild()
{
    m_lines.clear();
    while (QLayoutItem* item = content()->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    if (!m_context.timeline())
        content()->addWidget(makeLabel(tr("No trace open."), 12, 400, "text.secondary"), 0, Qt::AlignHCenter);
    for (const SetSums& it : m_sums) {
        std::vector<std::pair<StateAppearance, QString>> looks;
        for (std::size_t state = 0; state < it.set.states.size(); ++state)
            looks.emplace_back(theme().lookOf(it.set.states[state]), keyOf(it.set, state));
        std::ranges::stable_sort(looks, {}, [](const auto& look) { return look.first.order; });
        auto* title = makeLabel(text(it.set.title), 12, 600, "text.primary");
        title->setTextFormat(Qt::PlainText); // The title comes from a file, so it is shown as plain text.
        content()->addWidget(title);
        auto* box = new QWidget;
        auto* grid = new QGridLayout(box);
        grid->setContentsMargins(0, 0, 0, 14);
        grid->setVerticalSpacing(4);
        grid->setHorizontalSpacing(10);
        grid->setColumnStretch(1, 1);
        addTitles(grid);
        for (const auto& [look, key] : looks)
            addRow(grid, key, look);
        content()->addWidget(box);
    }
    if (!m_sums.empty()) {
        auto* scope = makeLabel(tr("Rows that are active in the visible range. Click a state to dim the others."), 11, 400, "text.hint");
        scope->setWordWrap(true);
        content()->addWidget(scope);
    }
    content()->addStretch(1);
    refill();
    showFocus();
}

void LegendView::addTitles(QGridLayout* grid)
{
    grid->addWidget(makeLabel(tr("State"), 10.5, 500, "text.hint"), 0, 0, 1, 2);
    grid->addWidget(makeLabel(tr("Count"), 10.5, 500, "text.hint"), 0, 2, Qt::AlignRight);
    grid->addWidget(makeLabel(tr("Share"), 10.5, 500, "text.hint"), 0, 3, Qt::AlignRight);
}

void LegendView::showFocus()
{
    const QString legend = StateFocus::of(m_context).legend();
    for (const Line& line : m_lines)
        line.words->setChecked(!legend.isEmpty() && line.words->property("legend").toString() == legend);
}

/// Highlights a state on the user's request, as a change that can be undone; none if `legend` is empty.
void LegendView::choose(const QString& legend)
{
    StateFocus& focus = StateFocus::of(m_context);
    const QString before = focus.legend();
    focus.setLegend(legend);
    const auto set = [&focus](const QString& to) { return [&focus, to] { focus.setLegend(to); }; };
    m_context.record(
        {.text = legend.isEmpty() ? tr("Show all states") : tr("Highlight %1").arg(legend), .undo = set(before), .redo = set(legend)});
}

void LegendView::addRow(QGridLayout* grid, const QString& key, const StateAppearance& look)
{
    const int row = grid->rowCount();
    auto* swatch = new QLabel;
    hideFromScreenReaders(*swatch);
    swatch->setPixmap(swatchPixmap(look, 11, devicePixelRatioF()));
    auto* words = new QToolButton;
    words->setText(look.words);
    words->setFont(fonts().at(11.5, 400));
    words->setCheckable(true);
    words->setAutoRaise(true);
    words->setProperty("legend", look.legend);
    words->setToolTip(tr("Dim all other states in the panels"));
    connect(words, &QToolButton::clicked, this, [this, legend = look.legend](bool isOn) { choose(isOn ? legend : QString()); });
    const Line line{words, makeLabel({}, 11, 400, "text.secondary"), makeLabel({}, 11, 500, "text.primary")};
    grid->addWidget(swatch, row, 0);
    grid->addWidget(line.words, row, 1, Qt::AlignLeft);
    grid->addWidget(line.count, row, 2, Qt::AlignRight);
    grid->addWidget(line.share, row, 3, Qt::AlignRight);
    m_lines.insert(key, line);
}

void LegendView::refill()
{
    for (const auto& [set, sums] : m_sums) {
        Duration whole{};
        for (const Sum& sum : sums)
            whole += sum.total;
        for (std::size_t state = 0; state < sums.size(); ++state) {
            const Sum& sum = sums[state];
            const auto line = m_lines.constFind(keyOf(set, state));
            if (line == m_lines.constEnd())
                continue;
            const bool isThere = sum.count > 0 && whole.count() > 0;
            line->words->setEnabled(isThere);
            line->count->setText(isThere ? countText(qint64(sum.count)) : QString());
            line->words->setAccessibleDescription(
                isThere ? tr("Count %1, share %2")
                              .arg(countText(qint64(sum.count)), shareText(double(sum.total.count()) / double(whole.count())))
                        : QString());
            line->share->setText(isThere ? shareText(double(sum.total.count()) / double(whole.count())) : QStringLiteral("\u2013"));
        }
    }
}

} // namespace helio
