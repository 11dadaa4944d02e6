// Panels of SqlView in the timeline, marked rows, and queries that run without being asked for.

#include "core/query/rows/facts.h"
#include "widgets/docks/sql/sql_examples.h"
#include "widgets/docks/sql/sql_view.h"
#include "widgets/sql/sql_editor.h"
#include "widgets/time/qt_text.h"
#include "widgets/workspace/result_panels.h"

#include <QJsonArray>
#include <QLineEdit>
#include <QTreeView>

#include <algorithm>
#include <utility>

namespace helio {

namespace {

constexpr int MostPanels = 12; ///< Maximum number of panels that are restored from a session.
constexpr std::chrono::milliseconds ProbeLimit{1500}; ///< Time limit for checking whether an example finds something.
constexpr std::chrono::milliseconds PanelLimit{60'000};

} // namespace

/// Reads the names of tables, fills the panels of a restored session, and checks the examples, once for each complete recording.
void SqlView::runQuietly()
{
    const auto timeline = m_context.timeline();
    if (!timeline || !isComplete(*timeline) || (m_panels.empty() && !isVisible()))
        return;
    const auto known = m_quietOf.lock();
    const bool isKnown = known && (known == timeline || isSameRecording(*known, *timeline));
    if (!isKnown) {
        m_quietOf = timeline;
        m_exampleFinds.clear();
        return m_quiet.readSchema(timeline); // Calls this function again.
    }
    if (m_quiet.isBusy())
        return;
    std::vector<SqlRunner::QuietQuery> queries;
    for (const Shown& panel : m_panels)
        if (panel.problem.isEmpty() && (!panel.result || !isSameRecording(*panel.result->timeline, *timeline)))
            queries.push_back({panel.query, PanelLimit, SqlResult::MostRows,
                               [this, id = panel.id](const std::shared_ptr<const SqlResult>& result, const SqlFailure& failure) {
                                   takePanelResult(id, result, failure);
                               }});
    for (int i = 0; isVisible() && i < int(sqlExamples().size()); ++i)
        if (!m_exampleFinds.contains(i))
            queries.push_back({QString::fromUtf8(sqlExamples()[std::size_t(i)].probe), ProbeLimit, 1,
                               [this, i](const std::shared_ptr<const SqlResult>& result, const SqlFailure&) {
                                   m_exampleFinds[i] = result && result->rows() > 0;
                               }});
    if (!queries.empty())
        m_quiet.runAll(timeline, std::move(queries));
}

/// Takes the result of a panel's query; nullptr if the query failed. The panel shows its earlier rows until the new ones are made.
void SqlView::takePanelResult(const QString& id, const std::shared_ptr<const SqlResult>& result, const SqlFailure& failure)
{
    const auto its = std::ranges::find(m_panels, id, &Shown::id);
    if (its == m_panels.end())
        return;
    its->result = result;
    its->isOld = true;
    if (!result)
        its->data.reset();
    its->problem = result ? QString() : failure.message;
    fillPanels();
    publishPanels();
}

/// Ends the waiting for queries that m_quiet could not run, for example because memory ran out.
void SqlView::takeQuietFailure(const SqlFailure& failure)
{
    std::vector<QString> waiting;
    for (const Shown& panel : m_panels)
        if (!panel.result && panel.problem.isEmpty())
            waiting.push_back(panel.id);
    for (const QString& id : waiting)
        takePanelResult(id, nullptr, failure);
    for (int i = 0; i < int(sqlExamples().size()); ++i)
        m_exampleFinds.try_emplace(i, false);
}

void SqlView::goTo(const QModelIndex& index)
{
    if (!index.isValid() || !m_model.result() || index.row() >= m_model.rowCount())
        return;
    markLine(m_model.result(), m_model.line(index.row()));
}

/// Goes to the time and the row of a row of a result, and marks it in the timeline.
void SqlView::markLine(const std::shared_ptr<const SqlResult>& result, std::size_t line)
{
    const auto place = placeOf(*result, line);
    const TrackRef row = trackOf(*result, line);
    ResultPanels& panels = ResultPanels::of(m_context);
    ResultPanels::Values values;
    for (int column = 0; column < int(result->columns.size()); ++column) {
        const auto& name = result->columns[std::size_t(column)];
        // Times and durations are shown as the numbers of ns that a query needs; the timeline has them in words.
        const SqlColumnRole role = sqlColumnRole(name);
        const bool isTime = role == SqlColumnRole::Time || role == SqlColumnRole::Length;
        values.emplace_back(text(name),
                            shownText(result->value(line, column), isTime ? SqlColumnRole::Plain : role, m_context.timeFormat()));
    }
    TimeWindow::Target target;
    if (row.isValid())
        target.row = row;
    if (place) {
        target.cursor = place->range.begin;
        target.selection = place->range.isEmpty() ? TimeRange() : place->range;
        // The visible range is kept if the row is in view; a long row is shown as a whole.
        const TimeRange visible = m_context.time().visible();
        if (!visible.overlaps(place->range) && place->range.duration() > visible.duration()) {
            const Duration margin = place->range.duration() / 10;
            target.visible = TimeRange{place->range.begin - margin, place->range.end + margin};
        }
    }
    m_isGoing = true;
    if (place || row.isValid())
        m_context.time().jump(target);
    m_isGoing = false;
    m_marked = {place || row.isValid() ? result : nullptr, line};
    panels.setValues(std::move(values));
    showMark();
    showFoot();
}

/// Forgets the row that the timeline shows, because the user moved elsewhere, or the result is another one.
void SqlView::forgetLine()
{
    if (m_isGoing)
        return;
    m_marked = {};
    ResultPanels::of(m_context).setMark({});
    ResultPanels::of(m_context).setValues({});
    showFoot();
}

/// Outlines the marked row in the panel of its result.
void SqlView::showMark()
{
    const auto shown = std::ranges::find_if(
        m_panels, [this](const Shown& it) { return m_marked.result && !it.isChart && !it.isOld && it.result == m_marked.result; });
    ResultPanels::of(m_context).setMark(shown != m_panels.end() ? ResultPanels::Mark{shown->id, std::uint32_t(m_marked.line)}
                                                                : ResultPanels::Mark{});
}

/// Selects the row of the result that the user clicked in a panel of the timeline. While a query runs, the table stays as it is, because
/// it waits for the rows of that query.
void SqlView::chooseLine(const QString& panel, std::uint32_t line)
{
    const auto its = std::ranges::find(m_panels, panel, &Shown::id);
    if (its == m_panels.end() || !its->result || its->isOld || line >= its->result->rows())
        return;
    const auto result = its->result; // Copied, because showing the result may change the panels.
    if (result != m_model.result() && !m_isRunning) {
        setQuery(its->query);
        showResult(result);
    }
    if (const int row = result == m_model.result() ? m_model.rowOf(line) : -1; row >= 0) {
        m_table->setCurrentIndex(m_model.index(row, 0));
        m_table->scrollTo(m_model.index(row, 0));
    }
    markLine(result, line);
}

/// Returns the panel that shows the present result; nullptr if there is none.
SqlView::Shown* SqlView::panelOf(bool isChart)
{
    const auto& result = m_model.result();
    const auto found =
        std::ranges::find_if(m_panels, [&](const Shown& it) { return result && it.isChart == isChart && it.query == result->query; });
    return found == m_panels.end() ? nullptr : &*found;
}

void SqlView::setPanel(bool isChart, bool isShown)
{
    const auto& result = m_model.result();
    Shown* known = panelOf(isChart);
    if (!result || isShown == (known != nullptr))
        return showState();
    if (known) {
        m_panels.erase(m_panels.begin() + (known - m_panels.data()));
    } else {
        Shown panel;
        panel.id = m_nextPanel == 1 ? QStringLiteral("sql") : QStringLiteral("sql-%1").arg(m_nextPanel);
        ++m_nextPanel;
        panel.query = result->query;
        panel.isChart = isChart;
        panel.columns = defaultColumns(*result, isChart);
        panel.result = result;
        m_panels.push_back(std::move(panel));
    }
    fillPanels();
    publishPanels();
    showMark();
    showState();
}

void SqlView::setPartition(const QString& column)
{
    for (const bool isChart : {false, true})
        if (Shown* panel = panelOf(isChart)) {
            panel->columns.partition = column;
            panel->isOld = true;
        }
    fillPanels();
    showState();
}

/// Makes the contents of the panels whose result or columns changed. Their present contents stay shown until then.
void SqlView::fillPanels()
{
    struct Wanted {
        QString id;
        std::shared_ptr<const SqlResult> result;
        SqlPanelColumns columns;
        bool isChart = false;
        std::shared_ptr<const ResultPanelData> made;
    };
    std::vector<Wanted> wanted;
    for (const Shown& it : m_panels)
        if (it.result && it.isOld)
            wanted.push_back({it.id, it.result, it.columns, it.isChart, {}});
    if (wanted.empty())
        return m_fill.cancel();
    m_fill.post([this, wanted = std::move(wanted)](std::stop_token stop) mutable -> LatestTask::Delivery {
        for (Wanted& it : wanted)
            it.made = makePanelData(*it.result, it.columns, it.isChart, stop);
        return [this, wanted = std::move(wanted)] {
            for (const Wanted& it : wanted)
                for (Shown& panel : m_panels)
                    if (panel.id == it.id && panel.result == it.result && panel.columns == it.columns) {
                        panel.data = it.made;
                        panel.isOld = false;
                    }
            publishPanels();
            showMark();
        };
    });
}

void SqlView::publishPanels()
{
    std::vector<ResultPanel> panels;
    for (const Shown& it : m_panels)
        panels.push_back({it.id, it.query, sqlTitle(it.query), it.isChart, it.data, it.problem});
    ResultPanels::of(m_context).set(std::move(panels));
}

QJsonObject SqlView::save() const
{
    QJsonArray panels;
    for (const Shown& it : m_panels)
        panels.append(QJsonObject{{"query", it.query}, {"chart", it.isChart}, {"partition", it.columns.partition}, {"id", it.id}});
    QJsonObject kept{{"query", query()}, {"filter", m_filter->text()}, {"panels", panels}};
    kept["limit"] = m_limitSeconds.value_or(0);
    return kept;
}

void SqlView::restore(const QJsonObject& kept)
{
    setQuery(kept["query"].toString().left(LongestQuery));
    m_filter->setText(kept["filter"].toString());
    const int limit = kept["limit"].toInt(60);
    m_limitSeconds = limit > 0 && limit <= 86'400 ? std::optional(limit) : limit == 0 ? std::nullopt : std::optional(60);
    m_panels.clear();
    const QJsonArray panels = kept["panels"].toArray();
    for (qsizetype i = 0; i < std::min<qsizetype>(panels.size(), MostPanels); ++i) {
        const QJsonObject it = panels[i].toObject();
        Shown panel;
        panel.query = it["query"].toString().left(LongestQuery);
        if (panel.query.trimmed().isEmpty())
            continue;
        // The id decides on place and height of the panel, which the session restores, too.
        panel.id = it["id"].toString();
        const int number = panel.id == QLatin1String("sql") ? 1 : panel.id.startsWith(QLatin1String("sql-")) ? panel.id.mid(4).toInt() : 0;
        if (number < 1 || number > 1'000'000 || std::ranges::find(m_panels, panel.id, &Shown::id) != m_panels.end())
            panel.id = QStringLiteral("sql-%1").arg(1'000'001 + i);
        m_nextPanel = std::max(m_nextPanel, number + 1);
        panel.isChart = it["chart"].toBool();
        panel.columns.partition = it["partition"].toString();
        m_panels.push_back(std::move(panel));
    }
    publishPanels();
    showProgress();
    showState();
    runQuietly();
}

} // namespace helio
