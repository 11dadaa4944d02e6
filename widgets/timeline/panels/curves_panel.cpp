#include "widgets/timeline/panels/curves_panel.h"

#include "core/query/rows/facts.h"
#include "core/query/rows/messages.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/panels/ratio_dialog.h"
#include "widgets/timeline/panels/view_text.h"

#include <QJsonArray>
#include <QLineEdit>
#include <QMenu>
#include <QMetaMethod>

#include <algorithm>
#include <iterator>

namespace helio {

namespace {

constexpr qsizetype MostRatios = 64;

/// True if the formula is not among the ratios, and is not a single counter, which has a curve already.
bool isNew(const CounterFormula& formula, const std::vector<CounterFormula>& ratios)
{
    return !formula.isName() && std::ranges::find(ratios, formula.text(), &CounterFormula::text) == ratios.end();
}

} // namespace

CurvesPanel::CurvesPanel(TimeAxis& axis, TrackView view, QWidget* parent)
    : TimePanel(axis, view.id, translateViewText(view.title), parent)
    , m_view(std::move(view))
    , m_graph(new CurveGraph(axis, this))
{
    adoptBody();
    beginAs(m_view);
    m_graph->setOwnScales(m_view.hasOwnScales);
    connect(header()->filter(), &QLineEdit::textChanged, this, &CurvesPanel::showSeries);
    connect(&Themes::instance(), &Themes::changed, this, [this] {
        for (NamedSeries& it : m_series)
            it.color = curveColor(theme(), it.colorIndex);
        showSeries();
    });
    connect(&axis, &TimeAxis::timelineChanged, this, &CurvesPanel::onTimelineChanged);
    connect(m_graph, &CurveGraph::contextMenuRequested, this, &TimePanel::contextMenuRequested);
    connect(m_graph, &CurveGraph::eventStepRequested, this, &TimePanel::eventStepRequested);
    connect(m_graph, &CurveGraph::hiddenChanged, this, &CurvesPanel::showSubtitle);
    onTimelineChanged();
}

void CurvesPanel::onTimelineChanged()
{
    if (!axis().timeline()) {
        m_seriesJob.cancel();
        // Show all series again: the hidden ids belong to the closed recording, and the next recording may use these ids for other series.
        m_graph->setHidden({});
        return takeSeries({});
    }
    m_areSeriesOld = true;
    if (!m_seriesJob.isBusy())
        requestSeries();
}

void CurvesPanel::requestSeries()
{
    m_areSeriesOld = false;
    m_seriesJob.post([this, timeline = axis().timeline(), view = m_view.id, theme = helio::theme(),
                      ratios = m_ratios](std::stop_token) -> LatestTask::Delivery {
        return [this, found = namedSeries(*timeline, view, theme, ratios)] {
            takeSeries(found);
            if (m_areSeriesOld && axis().timeline())
                requestSeries();
        };
    });
}

void CurvesPanel::takeSeries(std::vector<NamedSeries> series)
{
    const auto isSame = [](const NamedSeries& a, const NamedSeries& b) {
        return a.series == b.series && a.name == b.name && a.host == b.host && a.place.row == b.place.row
            && std::ranges::equal(a.recorded(), b.recorded());
    };
    const bool areOthers = !std::ranges::equal(series, m_series, isSame);
    const bool isKnown = axis().timeline() && isComplete(*axis().timeline());
    setVacant(isKnown && series.empty() && !explainsEmptyPanel(*axis().timeline(), id()));
    if (series.empty())
        m_graph->setEmptyWords(emptyWords());
    if (!areOthers)
        return;
    m_series = std::move(series);
    showSeries();
    emit shownTracesChanged();
}

/// Shows the series whose names match the filter.
void CurvesPanel::showSeries()
{
    const QString filter = header()->filter()->text().trimmed();
    std::vector<NamedSeries> shown;
    std::ranges::copy_if(m_series, std::back_inserter(shown),
                         [&](const NamedSeries& it) { return it.name.contains(filter, Qt::CaseInsensitive); });
    if (shown.empty())
        m_graph->setEmptyWords(emptyWords());
    m_graph->setSeries(std::move(shown));
    showSubtitle();
    emit heightChanged();
}

EmptyMessage CurvesPanel::emptyWords() const
{
    const auto& timeline = axis().timeline();
    if (!timeline)
        return {};
    if (!isComplete(*timeline))
        return {tr("Reading…"), {}};
    if (!m_series.empty())
        return {tr("Nothing matches “%1”.").arg(header()->filter()->text()), tr("Press Esc in the field to clear the filter.")};
    return {m_view.nothing.empty() ? tr("No data for this view was recorded.") : translateViewText(m_view.nothing),
            QString::fromStdString(adviseRecordingOf(*timeline, m_view.id))};
}

/// Sets the subtitle, e.g. "4 counters", "3 of 4" or "4 counters, 2 ratios".
void CurvesPanel::showSubtitle()
{
    // Number of series that exist, and number of series that the user sees: [0] recorded series, [1] ratios.
    qint64 all[2] = {}, shown[2] = {};
    for (const NamedSeries& it : m_series)
        ++all[it.ratio ? 1 : 0];
    for (int i = 0; i < int(m_graph->series().size()); ++i)
        shown[m_graph->series()[std::size_t(i)].ratio ? 1 : 0] += m_graph->isShown(i);
    const bool isDescribed = m_view.many != TrackView().many;
    const QString what = isDescribed ? translateViewText(all[0] == 1 ? m_view.one : m_view.many) : tr("series");
    const QString recorded =
        shown[0] == all[0] ? tr("%1 %2").arg(countText(all[0]), what) : tr("%1 of %2").arg(countText(shown[0]), countText(all[0]));
    const QString made = shown[1] != all[1] ? tr("%1 of %2 ratios").arg(countText(shown[1]), countText(all[1]))
        : all[1] == 1                       ? tr("1 ratio")
                                            : tr("%1 ratios").arg(countText(all[1]));
    header()->setSubtitle(all[0] == 0 ? QString() : all[1] == 0 ? recorded : tr("%1, %2").arg(recorded, made));
}

std::vector<std::uint32_t> CurvesPanel::shownTraces() const
{
    std::vector<std::uint32_t> traces;
    for (const NamedSeries& it : m_series)
        // Compare with the last trace only, because series of one trace are adjacent.
        if (traces.empty() || traces.back() != it.series.trace)
            traces.push_back(it.series.trace);
    return traces;
}

ShownCommand CurvesPanel::shownCommand() const
{
    return {QStringList{"counters"} + optionWords("--view", QString::fromStdString(id()))
                + rangeOptions(axis().window(), axis().window().focus()),
            {},
            {}};
}

QJsonObject CurvesPanel::save() const
{
    QJsonArray hidden;
    for (const QString& key : m_graph->hidden())
        hidden.append(key);
    QJsonArray ratios;
    for (const CounterFormula& it : m_ratios)
        ratios.append(QString::fromStdString(it.text()));
    return {{"hidden", hidden}, {"scaleOfAll", m_graph->isScaleFixed()}, {"filter", header()->filter()->text()}, {"ratios", ratios}};
}

void CurvesPanel::restore(const QJsonObject& kept)
{
    constexpr qsizetype Most = 65'536; // Maximum number of entries that are read from a session file.
    std::set<QString> hidden;
    const QJsonArray keys = kept["hidden"].toArray();
    for (qsizetype i = 0; i < std::min(keys.size(), Most); ++i)
        hidden.insert(keys[i].toString());
    m_graph->setHidden(std::move(hidden));
    std::vector<CounterFormula> ratios;
    const QJsonArray formulas = kept["ratios"].toArray();
    for (qsizetype i = 0; i < std::min(formulas.size(), MostRatios); ++i)
        if (auto formula = CounterFormula::parse(formulas[i].toString().toStdString()); formula && isNew(*formula, ratios))
            ratios.push_back(std::move(*formula));
    setRatios(std::move(ratios));
    m_graph->setScaleFixed(kept["scaleOfAll"].toBool());
    header()->setFilter(kept["filter"].toString());
}

void CurvesPanel::fillMenu(QMenu& menu)
{
    constexpr int MostLines = 40; ///< Maximum number of series in the menu; further series can only be chosen in the panel.
    QAction* fixed = menu.addAction(tr("Fix scale to whole trace"));
    fixed->setCheckable(true);
    fixed->setChecked(m_graph->isScaleFixed());
    connect(fixed, &QAction::toggled, m_graph, &CurveGraph::setScaleFixed);
    QAction* all = menu.addAction(tr("Show all series"), m_graph, [this] { m_graph->setHidden({}); });
    all->setEnabled(!m_graph->hidden().empty());
    QMenu* lines = menu.addMenu(tr("Series"));
    for (int i = 0; i < std::min(int(m_series.size()), MostLines); ++i) {
        const QString key = CurveGraph::keyOf(m_series[std::size_t(i)].series);
        QAction* line = lines->addAction(m_series[std::size_t(i)].name);
        line->setCheckable(true);
        line->setChecked(!m_graph->hidden().contains(key));
        connect(line, &QAction::toggled, m_graph, [this, key](bool isShown) {
            std::set<QString> hidden = m_graph->hidden();
            isShown ? void(hidden.erase(key)) : void(hidden.insert(key));
            m_graph->setHidden(std::move(hidden));
        });
    }
    menu.addSeparator();
    addLeaks(menu);
    addRatioActions(menu);
    menu.addSeparator();
    addMoves(menu);
}

void CurvesPanel::fillBodyMenu(QMenu& menu)
{
    addLeaks(menu);
    addRatioActions(menu);
}

void CurvesPanel::addLeaks(QMenu& menu)
{
    if (id().starts_with("heap") && isSignalConnected(QMetaMethod::fromSignal(&CurvesPanel::leaksRequested)))
        menu.addAction(tr("Leaked blocks"), this, &CurvesPanel::leaksRequested);
}

void CurvesPanel::addRatioActions(QMenu& menu)
{
    const bool hasSeries = std::ranges::any_of(m_series, [](const NamedSeries& it) { return !it.ratio; });
    menu.addAction(tr("Add ratio…"), this, &CurvesPanel::askForRatio)->setEnabled(hasSeries && qsizetype(m_ratios.size()) < MostRatios);
    for (const CounterFormula& it : m_ratios)
        menu.addAction(tr("Remove ratio %1").arg(QString::fromStdString(it.text())), this, [this, text = it.text()] { removeRatio(text); });
}

void CurvesPanel::askForRatio()
{
    std::vector<ViewSeries> series;
    for (const NamedSeries& it : m_series)
        if (!it.ratio)
            series.push_back(it.series);
    std::vector<std::string> taken;
    std::ranges::transform(m_ratios, std::back_inserter(taken), &CounterFormula::text);
    auto* dialog = new RatioDialog(std::move(series), std::move(taken), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        if (auto formula = dialog->formula())
            addRatio(std::move(*formula));
    });
    dialog->open();
}

/// Adds a ratio, and opens the panel so that its curve is visible.
void CurvesPanel::addRatio(CounterFormula formula)
{
    if (!isNew(formula, m_ratios))
        return;
    std::vector<CounterFormula> ratios = m_ratios;
    ratios.push_back(std::move(formula));
    setRatios(std::move(ratios));
    setCollapsed(false);
}

void CurvesPanel::removeRatio(const std::string& text)
{
    std::vector<CounterFormula> ratios = m_ratios;
    std::erase_if(ratios, [&](const CounterFormula& it) { return it.text() == text; });
    setRatios(std::move(ratios));
}

void CurvesPanel::setRatios(std::vector<CounterFormula> ratios)
{
    m_ratios = std::move(ratios);
    if (!axis().timeline())
        return;
    m_areSeriesOld = true;
    if (!m_seriesJob.isBusy())
        requestSeries();
}

} // namespace helio
