#include "app/gui/fleet/fleet_details_page.h"

#include "app/gui/fleet/trace_location.h"
#include "core/base/shell_words.h"
#include "core/findings/occurrences.h"
#include "widgets/controls/command_field.h"
#include "widgets/controls/copy_text.h"
#include "widgets/fleet/finding_line.h"
#include "widgets/fleet/fleet_latency_chart.h"
#include "widgets/fleet/fleet_model.h"
#include "widgets/fleet/latency_shape.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"

#include <QDateTime>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace helio {

using fleet::FleetTrace;

namespace {

constexpr int ChartHeight = 110;
constexpr int SectionGap = 12;
constexpr int NarrowPage = 390; ///< Width of the page below which the buttons need two lines.
constexpr int MostNotes = 6; ///< Largest number of notes on the recording that are shown.
constexpr int MostChecks = 3; ///< Largest number of commands of findings that are shown.

QLabel* makeWrapped(const QString& words, const char* role)
{
    auto* label = makeLabel(words, 11.5, 400, role);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QSizePolicy policy = label->sizePolicy(); // Keeps the height-for-width flag.
    policy.setHorizontalPolicy(QSizePolicy::Ignored);
    label->setSizePolicy(policy);
    return label;
}

/// Adds a heading with a note at its right and a rule below it.
void addHeading(QVBoxLayout& lines, const QString& title, const QString& note = {})
{
    lines.addSpacing(SectionGap);
    auto* line = new QHBoxLayout;
    line->addWidget(makeLabel(title, 11.5, 600, "text.primary"));
    line->addStretch(1);
    line->addWidget(makeLabel(note, 11, 400, "text.secondary"));
    lines.addLayout(line);
    lines.addWidget(new HorizontalRule);
}

QString factsText(const FleetTrace& trace)
{
    QStringList facts;
    if (trace.beginNs)
        facts << QDateTime::fromMSecsSinceEpoch(*trace.beginNs / 1'000'000).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
    if (trace.duration)
        facts << durationText(*trace.duration);
    if (trace.events)
        facts << FleetDetailsPage::tr("%1 events").arg(countText(*trace.events));
    if (trace.hasLosses())
        facts << FleetDetailsPage::tr("%1 lost").arg(countText(trace.lostEvents.value_or(0)));
    if (!trace.format.empty())
        facts << text(trace.format);
    if (!trace.kernel.empty())
        facts << FleetDetailsPage::tr("kernel %1").arg(text(trace.kernel));
    return facts.join(QStringLiteral(", "));
}

} // namespace

FleetDetailsPage::FleetDetailsPage(QWidget* parent)
    : ScrollPage(parent)
{
    setAccessibleName(tr("Details"));
    content()->setSpacing(8);
}

/// Returns the layout of the page without contents.
QVBoxLayout& FleetDetailsPage::emptied()
{
    const auto clearLayout = [](const auto& self, QLayout* layout) -> void {
        while (QLayoutItem* const item = layout->takeAt(0)) {
            if (QWidget* const widget = item->widget()) {
                widget->hide();
                widget->deleteLater(); // Deleted later, because it may be the button that was clicked.
            } else if (item->layout()) {
                self(self, item->layout());
            }
            delete item;
        }
    };
    clearLayout(clearLayout, content());
    return *content();
}

void FleetDetailsPage::clear(const QString& hint)
{
    m_reader.cancel();
    m_table.reset();
    m_overview.reset();
    m_shown = {};
    QVBoxLayout& lines = emptied();
    lines.addWidget(makeWrapped(hint, "text.secondary"));
    lines.addStretch(1);
}

void FleetDetailsPage::setTrace(const QString& catalogue, std::shared_ptr<const fleet::FleetTable> table,
                                std::shared_ptr<const fleet::FleetOverview> overview, std::uint32_t trace)
{
    m_catalogue = catalogue;
    m_table = std::move(table);
    m_overview = std::move(overview);
    m_trace = trace;
    m_shown = {};
    read();
}

void FleetDetailsPage::read()
{
    m_reader.post([this, catalogue = m_catalogue.toStdString(), table = m_table, overview = m_overview,
                   trace = m_trace](const std::stop_token& stop) -> LatestTask::Delivery {
        Shown shown;
        shown.openProblem = helio::openProblem(table->traces[trace]);
        auto details = fleet::readDetails(catalogue, table->traces[trace].id, overview->kind, stop);
        if (details)
            shown.details = std::move(*details);
        else
            shown.problem = text(details.error().what);
        if (const auto& order = overview->byLatency; !order.empty()) {
            shown.medianTrace = order[order.size() / 2];
            if (const auto median = fleet::readDetails(catalogue, table->traces[*shown.medianTrace].id, overview->kind, stop))
                shown.median = median->digest;
            shown.typical = findTypicalHere(*table, order, trace, stop);
        }
        return [this, shown = std::move(shown)] {
            m_shown = shown;
            fill();
            emit this->shown();
        };
    });
}

void FleetDetailsPage::resizeEvent(QResizeEvent* event)
{
    ScrollPage::resizeEvent(event);
    const bool isNarrow = width() < NarrowPage;
    if (std::exchange(m_isNarrow, isNarrow) != isNarrow && m_table && !m_reader.isBusy())
        fill();
}

void FleetDetailsPage::fill()
{
    QVBoxLayout& lines = emptied();
    addHead(lines);
    if (!m_shown.problem.isEmpty())
        lines.addWidget(makeWrapped(tr("The catalogue cannot be read: %1").arg(m_shown.problem), "severity.error"));
    if (trace().isReadable) {
        addFindings(lines);
        addLatencies(lines);
    }
    addQuality(lines);
    addCommands(lines);
    lines.addStretch(1);
}

void FleetDetailsPage::addHead(QVBoxLayout& lines)
{
    auto* title = makeLabel(text(trace().name()), 15, 600, "text.primary");
    title->setTextFormat(Qt::PlainText);
    title->setWordWrap(true);
    title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    lines.addWidget(title);
    if (const QString facts = factsText(trace()); !facts.isEmpty())
        lines.addWidget(makeWrapped(facts, "text.secondary"));
    lines.addWidget(makeWrapped(text(trace().path), "text.secondary"));
    auto* buttons = new QGridLayout;
    buttons->setSpacing(8);
    auto* open = new QPushButton(tr("Open"));
    open->setDefault(true); // The style draws the default button as the primary button.
    open->setToolTip(tr("Open the trace in a window of its own (Enter)"));
    connect(open, &QPushButton::clicked, this, &FleetDetailsPage::openRequested);
    auto* compare = new QPushButton(tr("Compare with a typical one"));
    compare->setEnabled(m_shown.typical && m_shown.openProblem.isEmpty());
    compare->setToolTip(m_shown.typical ? tr("Compare with %1, whose longest latency is near the median")
                                              .arg(text(m_table->traces[*m_shown.typical].name()).toHtmlEscaped())
                                        : tr("No other trace with complete latencies is on this machine."));
    connect(compare, &QPushButton::clicked, this, &FleetDetailsPage::typicalComparisonRequested);
    auto* copy = new QPushButton(tr("Copy command"));
    copy->setToolTip(tr("Copy the command that opens the trace"));
    connect(copy, &QPushButton::clicked, this, [this] {
        copyText(openCommand());
        emit said(tr("Copied: %1").arg(openCommand()));
    });
    buttons->addWidget(open, 0, 0);
    buttons->addWidget(compare, m_isNarrow ? 1 : 0, m_isNarrow ? 0 : 1, 1, m_isNarrow ? 2 : 1);
    buttons->addWidget(copy, 0, m_isNarrow ? 1 : 2);
    buttons->setColumnStretch(3, 1);
    lines.addSpacing(2);
    lines.addLayout(buttons);
    if (!m_shown.openProblem.isEmpty())
        lines.addWidget(makeWrapped(m_shown.openProblem, "severity.warning"));
    if (!trace().error.empty())
        lines.addWidget(makeWrapped(tr("Not all of the trace could be read: %1").arg(text(trace().error)), "severity.error"));
}

void FleetDetailsPage::addFindings(QVBoxLayout& lines)
{
    const auto& findings = m_shown.details.findings;
    const std::int64_t all = m_shown.details.allFindings;
    const std::int64_t more = all - std::int64_t(findings.size());
    addHeading(lines, tr("Findings"), all > 0 ? tr("%1, by time explained").arg(countText(all)) : QString());
    int rank = 0;
    for (const fleet::DetailedFinding& it : findings)
        lines.addWidget(new FindingLine(it, ++rank, trace().hasLosses()));
    if (findings.empty() && m_shown.problem.isEmpty())
        lines.addWidget(makeWrapped(tr("No finder found anything in this trace."), "text.secondary"));
    else if (more > 0)
        lines.addWidget(makeWrapped(tr("The catalogue does not list %1 further findings.").arg(countText(more)), "text.secondary"));
}

void FleetDetailsPage::addLatencies(QVBoxLayout& lines)
{
    const fleet::LatencyKind kind = m_overview->kind;
    const auto& latency = trace().latency(kind);
    if (!latency || m_shown.details.digest.count() == 0) {
        addHeading(lines, titleOf(kind));
        return lines.addWidget(makeWrapped(worstText(trace(), kind), "text.secondary"));
    }
    const bool hasMedian = m_shown.medianTrace && m_shown.median.count() > 0 && *m_shown.medianTrace != m_trace;
    addHeading(lines, titleOf(kind), hasMedian ? tr("bars: this trace; line: median") : QString());
    if (hasMedian) {
        const FleetTrace& median = m_table->traces[*m_shown.medianTrace];
        const double factor = double(latency->most.count()) / double(std::max<std::int64_t>(1, m_shown.median.most().count()));
        lines.addWidget(
            makeLabel(tr("%1 \u00d7 the median trace").arg(QString::number(factor, 'g', factor < 100 ? 2 : 3)), 11.5, 600, "text.primary"));
        lines.addWidget(makeWrapped(
            tr("worst %1 against %2 on %3").arg(worstText(trace(), kind), text(shortDuration(m_shown.median.most())), text(median.name())),
            "text.secondary"));
    } else {
        lines.addWidget(makeLabel(tr("worst %1").arg(worstText(trace(), kind)), 11.5, 600, "text.primary"));
    }
    auto* chart = new FleetLatencyChart;
    const auto& tail = m_overview->tailOf(kind);
    chart->setFixedHeight(ChartHeight);
    chart->setDigest(m_shown.details.digest, tail ? std::optional(tail->highest) : std::nullopt, QString::fromLatin1(tailRole(kind)),
                     tr("fleet p99.9"));
    if (hasMedian)
        chart->setCompared(m_shown.median);
    chart->setAccessibleName(titleOf(kind));
    lines.addWidget(chart);
}

void FleetDetailsPage::addQuality(QVBoxLayout& lines)
{
    if (m_shown.details.notes.empty())
        return;
    addHeading(lines, tr("Recording quality"));
    int shown = 0;
    for (const fleet::DetailedNote& it : m_shown.details.notes)
        if (shown++ < MostNotes)
            lines.addWidget(makeWrapped(text(it.text), it.isProblem ? "mark.lost" : "text.secondary"));
}

QString FleetDetailsPage::openCommand() const { return text("heliograph " + shellQuoted(trace().path)); }

void FleetDetailsPage::addCommands(QVBoxLayout& lines)
{
    addHeading(lines, tr("Same on the command line"));
    QStringList commands;
    for (const fleet::DetailedFinding& it : m_shown.details.findings)
        if (const QString check = text(it.check); !check.isEmpty() && !commands.contains(check) && commands.size() < MostChecks)
            commands << check;
    commands << openCommand();
    const std::string query = "SELECT rank, text, share FROM finding WHERE trace_id = " + std::to_string(trace().id) + " ORDER BY rank";
    commands << text("heliograph fleet sql " + shellQuoted(m_catalogue.toStdString()) + " " + shellQuoted(query));
    for (const QString& command : std::as_const(commands))
        lines.addWidget(new CommandField(command, tr("Command with which to go on")));
}

} // namespace helio
