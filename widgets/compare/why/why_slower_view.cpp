#include "widgets/compare/why/why_slower_view.h"

#include "core/compare/conclusion.h"
#include "core/query/rows/facts.h"
#include "widgets/compare/side_style.h"
#include "widgets/compare/why/breakdown_table.h"
#include "widgets/controls/copy_text.h"
#include "widgets/paint/state_bar.h"
#include "widgets/theme/themes.h"

#include <QComboBox>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace helio {

namespace {

constexpr int FetchDelay = 80; ///< Delay in ms between a change and the query.
/// Duration of the example ranges in A and B, see findExampleRange(). In 100 ms, the user can distinguish time slices of a few ms.
constexpr Duration ExampleLength = std::chrono::milliseconds(100);

/// Names of a side's subject. If the subject is a call, they include the thread that ran it.
struct SubjectNames {
    QString name; ///< Name of the subject, e.g. "solver", "worker (12)" or "app::request".
    QString caller; ///< Thread of the call; empty if the subject is not a call.
};

SubjectNames wordsOf(const Timeline& timeline, const Subject& subject, TimeRange within, std::span<const ProcessRun> runs,
                     const std::stop_token& stop)
{
    if (!subject.thread.isValid() || runs.empty())
        return {QString::fromStdString(subject.program), {}};
    const Row& row = runs.front().leader;
    const QString thread = QStringLiteral("%1 (%2)").arg(QString::fromStdString(row.label)).arg(row.tid);
    const auto call = callOf(timeline, subject, within);
    return call ? SubjectNames{QString::fromStdString(readCallName(timeline, *call, stop)), thread} : SubjectNames{thread, {}};
}

/// Returns the beginning of `range`, cut to `length`. Used to search for examples in equally long parts of the runs in A and B.
TimeRange clippedToLength(TimeRange range, Duration length) { return {range.begin, std::min(range.end, range.begin + length)}; }

} // namespace

/// Bars with the wall time of one run of each side on the same scale, divided by state.
class WhySlowerView::Bars : public QWidget {
public:
    explicit Bars(const Breakdown& breakdown)
        : m_breakdown(breakdown)
    {
        setFixedHeight(2 * Pitch);
        connect(&Themes::instance(), &Themes::changed, this, qOverload<>(&QWidget::update));
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        const double most = double(std::max(m_breakdown.a, m_breakdown.b).count());
        if (most <= 0)
            return;
        paintSide(painter, Side::A, m_breakdown.a, &BreakdownLine::a, 0, most);
        paintSide(painter, Side::B, m_breakdown.b, &BreakdownLine::b, Pitch, most);
    }

private:
    static constexpr int Pitch = 20;
    static constexpr int BarHeight = 13;

    void paintSide(QPainter& painter, Side side, Duration sum, Duration BreakdownLine::*time, int y, double most) const
    {
        paintBadge(painter, QPointF(0, y + (Pitch - BadgeSize) / 2), side);
        constexpr int TextWidth = 72;
        const int left = BadgeSize + 10;
        const int room = width() - left - TextWidth;
        std::vector<std::pair<StateAppearance, Duration>> parts;
        for (const BreakdownLine& line : m_breakdown.lines)
            parts.emplace_back(theme().lookOf(line.state), line.*time);
        std::ranges::stable_sort(parts, {}, [](const auto& part) { return part.first.order; });
        Duration before{};
        for (const auto& [look, duration] : parts) {
            const int from = left + int(std::round(double(before.count()) / most * room));
            before += duration;
            const int to = left + int(std::round(double(before.count()) / most * room));
            paintStateBar(painter, QRect(from, y + (Pitch - BarHeight) / 2, to - from, BarHeight), look);
        }
        painter.setFont(fonts().at(12, 600));
        painter.setPen(theme().color("text.primary"));
        painter.drawText(QRect(width() - TextWidth, y, TextWidth, Pitch), Qt::AlignRight | Qt::AlignVCenter, durationText(sum));
    }

    const Breakdown& m_breakdown;
};

struct WhySlowerView::Question {
    std::shared_ptr<const Timeline> a, b;
    TimeRange inA, inB;
    Subject ofA, ofB;
    bool isChosen = false; ///< True if the user chose the subject. If false, the first program that ran on both sides is compared.
    bool isSettled = false;
};

struct WhySlowerView::QueryResult {
    QStringList programs;
    Subject a, b;
    SubjectNames nameA, nameB;
    Breakdown breakdown;
    std::array<SideMeasurements, 2> measures; ///< Measurements of A and B.
    bool isCut = false; ///< True if a side has no completely recorded run.
    std::array<TimeRange, 2> examples{}; ///< Example ranges in A and B; see findExampleRange().
    TimeRange runOfA{}; ///< Range of the first run in A.
    std::optional<Alignment> alignment;
    /// True if a program that was chosen automatically can be kept: both sides are completely indexed, or neither side is being read any
    /// more.
    bool isChoiceFinal = false;
};

WhySlowerView::WhySlowerView(CompareContext& context, QWidget* parent)
    : ScrollPage(parent)
    , m_context(context)
    , m_program(new QComboBox)
    , m_headline(makeLabel({}, 15, 600, "text.primary"))
    , m_detail(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_bars(new Bars(m_breakdown))
    , m_table(new BreakdownTable)
    , m_sentence(makeLabel({}, 12, 400, "text.primary"))
    , m_symbols(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_showTimes(new QPushButton(tr("Show in timelines")))
    , m_source(new QPushButton)
    , m_answer(DebouncedQuery::Pace::Debounce, FetchDelay, [this] { fetch(); })
{
    m_program->setAccessibleName(tr("Program"));
    m_program->setToolTip(tr("Program whose runs are compared"));
    m_headline->setWordWrap(true);
    m_detail->setWordWrap(true);
    m_sentence->setWordWrap(true);
    m_symbols->setWordWrap(true);
    m_symbols->setTextFormat(Qt::RichText);
    m_symbols->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_symbols->hide();
    // Queued, because the dialog may reopen the traces and thus change the label that was clicked.
    connect(m_symbols, &QLabel::linkActivated, this, &WhySlowerView::symbolsRequested, Qt::QueuedConnection);
    auto* copy = new QPushButton(tr("Copy table"));
    connect(copy, &QPushButton::clicked, this, [this] { copyText(m_table->text()); });
    connect(m_source, &QPushButton::clicked, this, &WhySlowerView::sourceRequested);
    m_showTimes->setDefault(true);
    m_showTimes->setToolTip(tr("Zoom both sides to a tenth of a second that shows it"));
    connect(m_showTimes, &QPushButton::clicked, this, [this] {
        const Alignment& alignment = m_context.link().alignment();
        const TimeRange inA{alignment.toA(m_examples[1].begin), alignment.toA(m_examples[1].end)};
        if (m_context.link().isLinked() && !inA.overlaps(m_runOfA))
            emit alignmentRequested();
        emit timesRequested(m_examples[0], m_examples[1]);
    });
    m_source->hide();
    auto* footer = new PanelGround; // A footer stays visible however long the table is.
    auto* buttons = new QHBoxLayout(footer);
    buttons->setContentsMargins(14, 6, 14, 10);
    buttons->addWidget(m_showTimes);
    buttons->addWidget(m_source);
    buttons->addWidget(copy);
    buttons->addStretch(1);
    for (QWidget* part : std::initializer_list<QWidget*>{m_program, m_headline, m_sentence, m_symbols, m_detail, m_bars, m_table})
        content()->addWidget(part);
    content()->addStretch(1);
    setFooter(footer);
    connect(&context, &CompareContext::timelineChanged, &m_answer, &DebouncedQuery::queueQuery);
    connect(&context, &CompareContext::questionChanged, &m_answer, &DebouncedQuery::soon);
    connect(m_program, &QComboBox::activated, this, [this](int index) {
        if (index > 0 || !m_context.comparesThreads())
            m_context.setProgram(m_program->itemText(index));
    });
    connect(m_table, &BreakdownTable::stateChosen, this, &WhySlowerView::stateChosen);
    show({});
}

void WhySlowerView::setProblem(const QString& problem)
{
    m_problem = problem;
    m_headline->setText(headline());
}

void WhySlowerView::setCode(const QString& program, std::optional<CodeDifference> code)
{
    m_codeOf = program;
    m_code = std::move(code);
    showConclusion();
}

void WhySlowerView::setMissingSymbols(const QString& ofA, const QString& ofB)
{
    QStringList lines;
    if (!ofA.isEmpty() && ofA == ofB)
        lines << tr("A and B: %1").arg(ofA).toHtmlEscaped();
    else
        for (const auto& [letter, text] : {std::pair('A', &ofA), std::pair('B', &ofB)})
            if (!text->isEmpty())
                lines << QStringLiteral("%1: %2").arg(letter).arg(*text).toHtmlEscaped();
    m_symbols->setVisible(!lines.isEmpty());
    if (lines.isEmpty())
        return m_symbols->clear();
    const QString link = linkText("symbols", tr("Symbol paths\u2026"));
    lines << tr("Install debug packages, or name the folders with the binaries: %1, or --symbols DIR.").arg(link);
    m_symbols->setText(lines.join(QStringLiteral("<br>")));
}

QString WhySlowerView::symbolsText() const { return m_symbols->text(); }

QString WhySlowerView::conclusion() const { return m_sentence->text(); }

void WhySlowerView::showConclusion()
{
    const bool isOfIt = m_nameA == m_nameB && m_codeOf == m_nameA;
    m_sentence->setText(QString::fromStdString(
        helio::conclusion(m_breakdown, m_measures[0], m_measures[1], isOfIt ? m_code : std::optional<CodeDifference>())));
}

void WhySlowerView::setSourceFunction(const QString& function)
{
    m_source->setText(tr("Annotated source of %1").arg(fontMetrics().elidedText(function, Qt::ElideMiddle, 180)));
    m_source->setVisible(!function.isEmpty());
}

void WhySlowerView::showEvent(QShowEvent* event)
{
    ScrollPage::showEvent(event);
    m_answer.now();
}

void WhySlowerView::fetch()
{
    const auto a = m_context.a().timeline();
    const auto b = m_context.b().timeline();
    if (!a || !b) {
        m_answer.cancel();
        return show({});
    }
    const Question question{a,
                            b,
                            m_context.comparedRange(Side::A),
                            m_context.comparedRange(Side::B),
                            m_context.subject(Side::A),
                            m_context.subject(Side::B),
                            m_context.hasSubject(),
                            m_context.isSettled()};
    m_answer.post([this, question](std::stop_token stop) -> LatestTask::Delivery {
        auto answer = std::make_shared<const QueryResult>(answerTo(question, stop));
        return [this, answer] {
            show(*answer);
            // Reports the alignment only if a subject is set. Without a subject, a program may still be found in data that is read later.
            if (m_context.hasSubject())
                emit subjectAligned(answer->alignment);
        };
    });
}

WhySlowerView::QueryResult WhySlowerView::answerTo(const Question& question, std::stop_token stop)
{
    const auto& [a, b, inA, inB, ofA, ofB, isChosen, isSettled] = question;
    QueryResult answer;
    answer.a = ofA;
    answer.b = ofB;
    answer.isChoiceFinal = isSettled || (isComplete(*a) && isComplete(*b));
    for (const std::string& name : commonPrograms(*a, inA, *b, inB, stop))
        answer.programs << QString::fromStdString(name);
    if (!isChosen)
        answer.a.program = answer.b.program = answer.programs.value(0).toStdString();
    const auto runsA = runsOf(*a, answer.a, inA, stop);
    const auto runsB = runsOf(*b, answer.b, inB, stop);
    const auto [sideA, sideB] = makeSideRuns(*a, runsA, *b, runsB, stop);
    answer.breakdown = computeBreakdown(sideA, sideB, stop);
    if (!answer.breakdown.lines.empty()) {
        answer.measures = {measureSide(sideA, stop), measureSide(sideB, stop)};
        answer.isCut = std::ranges::any_of(answer.measures, areAllRunsCut);
        answer.runOfA = runsA.front().range;
        const Duration both = std::min(runsA.front().range.duration(), runsB.front().range.duration());
        answer.examples = {findExampleRange(sideA, answer.breakdown, clippedToLength(runsA.front().range, both), ExampleLength, stop),
                           findExampleRange(sideB, answer.breakdown, clippedToLength(runsB.front().range, both), ExampleLength, stop)};
    }
    answer.nameA = wordsOf(*a, answer.a, inA, runsA, stop);
    answer.nameB = wordsOf(*b, answer.b, inB, runsB, stop);
    answer.alignment = alignSubjects(*a, answer.a, *b, answer.b, stop);
    return answer;
}

void WhySlowerView::show(const QueryResult& answer)
{
    m_breakdown = answer.breakdown;
    m_isCut = answer.isCut;
    m_program->clear();
    m_nameA = answer.nameA.name;
    m_nameB = answer.nameB.name;
    m_callThreadA = answer.nameA.caller;
    m_callThreadB = answer.nameB.caller;
    if (answer.a.thread.isValid())
        m_program->addItem(m_nameA == m_nameB ? m_nameA : tr("%1 with %2").arg(m_nameA, m_nameB));
    m_program->addItems(answer.programs);
    if (!answer.a.thread.isValid() && !m_nameA.isEmpty() && m_program->findText(m_nameA) < 0)
        // Adds the compared program, which is not in the list because it did not run on both sides in this range.
        m_program->insertItem(0, m_nameA);
    m_program->setCurrentText(answer.a.thread.isValid() ? m_program->itemText(0) : m_nameA);
    m_program->setVisible(m_program->count() > 0);
    if (answer.isChoiceFinal && !answer.a.program.empty() && !m_context.hasSubject())
        m_context.setProgram(m_nameA);
    m_measures = answer.measures;
    m_headline->setText(headline());
    m_detail->setText(detail());
    showConclusion();
    m_examples = answer.examples;
    m_runOfA = answer.runOfA;
    m_table->setBreakdown(m_breakdown);
    emit breakdownChanged(m_breakdown);
    m_bars->update();
    for (QWidget* part : std::initializer_list<QWidget*>{m_bars, m_table, m_sentence, m_showTimes})
        part->setVisible(!m_breakdown.lines.empty());
}

QString WhySlowerView::headline() const
{
    if (!m_problem.isEmpty())
        return m_problem;
    if (!m_context.a().timeline() || !m_context.b().timeline())
        return tr("Reading \u2026");
    if (!hasTimes(*m_context.a().timeline()) || !hasTimes(*m_context.b().timeline()))
        return tr("These recordings have no times; compare them in the flame graph and the functions.");
    if (m_program->count() == 0)
        return m_context.isSettled() ? tr("No program ran on both sides.") : tr("Reading \u2026");
    if (m_breakdown.runsA == 0 || m_breakdown.runsB == 0)
        return m_breakdown.runsA == 0 ? tr("%1 did not run in A in this range.").arg(m_nameA)
                                      : tr("%1 did not run in B in this range.").arg(m_nameB);
    const QString name = m_nameA == m_nameB ? m_nameA : tr("%1 in B").arg(m_nameB);
    if (m_breakdown.wallA <= Duration::zero())
        return tr("%1 took no time in A").arg(m_nameA);
    // Give no ratio for selected ranges: the compared durations are those of the ranges, and say nothing about the program.
    if (isOfRange() && !areCalls())
        return m_nameA == m_nameB ? tr("%1 in the selected range").arg(m_nameA)
                                  : tr("%1 and %2 in the selected range").arg(m_nameA, m_nameB);
    // Give no ratio if a side has no run that was recorded from start to end, because such a ratio would say nothing about the program.
    if (m_isCut)
        return tr("%1 was not recorded from start to end").arg(name);
    const double ratio = double(m_breakdown.wallB.count()) / double(m_breakdown.wallA.count());
    const QString text = wallHeadline(name, ratio);
    if (m_breakdown.basis == BreakdownBasis::FirstThread)
        return text;
    const auto [cpuA, cpuB] = cpuTimes(m_measures[0], m_measures[1]);
    if (cpuA <= Duration::zero())
        return text;
    // This ratio of CPU times equals the ratio that the root of the differential flame graph shows.
    return tr("%1; its threads used %2× the CPU time").arg(text).arg(double(cpuB.count()) / double(cpuA.count()), 0, 'g', 3);
}

/// Returns the headline, e.g. "matinit takes 2.1 times as long".
QString WhySlowerView::wallHeadline(const QString& name, double ratio) const
{
    if (std::abs(ratio - 1) < 0.005)
        return m_nameA == m_nameB ? tr("%1 takes equally long on both sides").arg(m_nameA)
                                  : tr("%1 and %2 take equally long").arg(m_nameA, m_nameB);
    if (m_breakdown.wallB > Duration::zero() && ratio < 1) {
        const QString factor = QString::number(1 / ratio, 'g', 3);
        return m_nameA == m_nameB ? tr("%1 is %2× faster in B").arg(name, factor)
                                  : tr("%1 is %2× faster than %3 in A").arg(name, factor, m_nameA);
    }
    const QString text = tr("%1 is %2× slower").arg(name).arg(ratio, 0, 'g', 3);
    return m_nameA == m_nameB ? text : tr("%1 than %2 in A").arg(text, m_nameA);
}

bool WhySlowerView::areCalls() const { return !m_callThreadA.isEmpty() && !m_callThreadB.isEmpty(); }

bool WhySlowerView::isOfRange() const { return !m_context.a().time().selection().isEmpty() || !m_context.b().time().selection().isEmpty(); }

/// Returns the recorded duration of a side's selection, e.g. "1.204 s"; "all" without a selection.
QString WhySlowerView::selectedRangeText(Side side) const
{
    const TimeWindow& time = m_context.side(side).time();
    if (time.selection().isEmpty())
        return tr("all");
    const TimeRange seen = time.selection().clippedTo(time.own());
    return durationText(seen.isEmpty() ? Duration::zero() : seen.duration());
}

std::uint32_t WhySlowerView::cpusOf(Side side) const
{
    std::uint32_t cpus = 0;
    for (const HostFacts& host : hostFacts(*m_context.side(side).timeline()))
        cpus += host.cpus;
    return cpus;
}

QString WhySlowerView::detail() const
{
    if (m_breakdown.lines.empty())
        return {};
    if (areCalls())
        return m_callThreadA == m_callThreadB ? tr("Two calls in %1.").arg(m_callThreadA)
                                              : tr("One call in %1 (A) and one in %2 (B).").arg(m_callThreadA, m_callThreadB);
    const auto runs = [](std::uint32_t n) { return n == 1 ? tr("1 run") : tr("mean of %1 runs").arg(n); };
    QString text = m_context.comparesThreads()
        ? tr("Time of one thread in A and one in B.")
        : tr("Wall time of one run: %1 in A, %2 in B.").arg(runs(m_breakdown.runsA), runs(m_breakdown.runsB));
    if (m_breakdown.basis == BreakdownBasis::CriticalPath)
        text += ' ' + tr("The lines follow the critical path: while the first thread waits, the thread it waits for counts.");
    else if (isCpuTime(m_breakdown.basis))
        text = tr("CPU time of all threads of one run: %1 in A, %2 in B. Wall time: %3 in A, %4 in B.")
                   .arg(runs(m_breakdown.runsA), runs(m_breakdown.runsB), durationText(m_breakdown.wallA), durationText(m_breakdown.wallB));
    if (isOfRange())
        return tr("Selected: %1 of A, %2 of B, as far as recorded. ").arg(selectedRangeText(Side::A), selectedRangeText(Side::B)) + text;
    if (const auto efficiency = m_breakdown.efficiency())
        text += tr("  Parallel efficiency <b>%1 %</b>: wall time of one run alone, divided by that of one among %2 on "
                   "%3 CPUs.")
                    .arg(*efficiency * 100, 0, 'f', 1)
                    .arg(std::max(m_breakdown.runsA, m_breakdown.runsB))
                    .arg(cpusOf(m_breakdown.runsA > m_breakdown.runsB ? Side::A : Side::B));
    return text;
}

} // namespace helio
