#include "widgets/docks/findings/findings_view.h"

#include "core/findings/finder.h"
#include "core/findings/occurrences.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/state_causes.h"
#include "core/waits/path/wait_causes.h"
#include "widgets/controls/copy_text.h"
#include "widgets/controls/icons.h"
#include "widgets/docks/findings/finding_card.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"
#include "widgets/workspace/make_finding_marks.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

namespace helio {

namespace {

constexpr std::size_t MostProcesses = 8; ///< Maximum number of processes in the list of places.

/// Removes all widgets of a layout. They are deleted later, because one of them may have emitted the signal that is being handled.
void empty(QLayout& layout)
{
    while (QLayoutItem* const item = layout.takeAt(0)) {
        if (QWidget* const widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
}

QLabel* wrappingLine(const QString& text, qreal size, int weight, const char* role)
{
    QLabel* const label = makeLabel(text, size, weight, role);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setTextFormat(Qt::PlainText);
    label->setContentsMargins(14, 0, 14, 0);
    QSizePolicy policy = label->sizePolicy(); // Keeps the height-for-width flag.
    policy.setHorizontalPolicy(QSizePolicy::Ignored);
    label->setSizePolicy(policy);
    return label;
}

/// Returns the PID of a row; without one, the TID, because a thread is then listed as a process of its own; -1 if both are unknown.
std::int32_t processIdOf(const Row& row) { return row.pid >= 0 ? row.pid : row.tid; }

/// Returns the processes of findings, the most time explained first.
std::vector<FindingPlace> processesOf(const Timeline& timeline, const Findings& findings)
{
    std::vector<FindingPlace> processes;
    for (const Finding& finding : findings.all) {
        const auto row = finding.rows.empty() ? std::nullopt : rowOf(timeline, finding.rows.front());
        if (!row || row->role != TrackRole::Thread || processIdOf(*row) < 0 || row->isKernelThread)
            continue;
        FindingPlace place{FindingPlace::Kind::Process, row->host, processIdOf(*row), {}};
        if (processes.size() == MostProcesses || std::ranges::find(processes, place) != processes.end())
            continue;
        const TrackRef leader = threadRow(timeline, row->trace, place.pid, finding.range.begin);
        place.name = text(threadWords(timeline, leader.isValid() ? leader : row->ref));
        processes.push_back(std::move(place));
    }
    return processes;
}

/// Returns the condition on rows for a place; empty if all rows are examined.
std::function<bool(const Row&)> rowsIn(const FindingPlace& place)
{
    switch (place.kind) {
    case FindingPlace::Kind::Host: return [host = place.host](const Row& row) { return row.host == host; };
    case FindingPlace::Kind::Process:
        return [host = place.host, pid = place.pid](const Row& row) { return row.host == host && processIdOf(row) == pid; };
    default: return {};
    }
}

/// Returns the text by which a finding is recognized in later results.
QString findingKey(const Finding& finding) { return text(finding.finder) + u'\n' + text(finding.text); }

} // namespace

/// Line below the head of the dock that grows with the number of finders that are done.
class FindingsView::ProgressBar : public QWidget {
public:
    ProgressBar() { setFixedHeight(2); }
    /// Sets the share that is done, from 0 to 1; nullopt if nothing is searched.
    void setShare(std::optional<double> share)
    {
        m_share = share;
        update();
    }

private:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.fillRect(0, 1, width(), 1, theme().color("line.faint"));
        if (m_share)
            painter.fillRect(0, 0, int(*m_share * width()), height(), theme().color("accent.fill"));
    }

    std::optional<double> m_share;
};

FindingsView::FindingsView(ViewContext& context, QWidget* parent)
    : PanelGround(parent)
    , m_context(context)
    , m_count(makeLabel({}, 15, 600, "text.primary"))
    , m_what(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_stop(new QPushButton)
    , m_scope(new QComboBox)
    , m_progress(new ProgressBar)
    , m_page(new ScrollPage)
    , m_finders(makeLabel({}, 11, 400, "text.hint"))
    , m_copy(new QPushButton(tr("Copy as text")))
{
    for (QLabel* const label : {m_what, m_finders}) // Their texts must not widen the dock.
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_finders->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(14, 10, 14, 8);
    head->setSpacing(10);
    head->addWidget(m_count, 0, Qt::AlignBaseline);
    head->addWidget(m_what, 1, Qt::AlignBaseline);
    head->addWidget(m_stop);
    head->addWidget(m_scope);
    layout->addLayout(head);
    layout->addWidget(m_progress);
    m_scope->setAccessibleName(tr("Part of the recording in which to look"));
    m_scope->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon); // Names of processes must not widen the dock.
    m_scope->setMinimumContentsLength(11);
    m_page->setAccessibleName(tr("Findings"));
    m_page->content()->setContentsMargins(0, 0, 0, 10);
    m_page->content()->setSpacing(0);
    m_page->installEventFilter(this);
    layout->addWidget(m_page, 1);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(14, 8, 14, 8);
    foot->setSpacing(8);
    auto* save = new QPushButton(tr("Save report…"));
    connect(save, &QPushButton::clicked, this, [this] { m_context.trigger("file.save-report"); });
    connect(m_copy, &QPushButton::clicked, this, [this] { copyText(plainText()); });
    foot->addWidget(save);
    foot->addWidget(m_copy);
    foot->addWidget(m_finders, 1);
    layout->addLayout(foot);
    setFocusProxy(m_page);
    showPlaces();
    connect(m_scope, &QComboBox::currentIndexChanged, this, &FindingsView::fetch);
    connect(m_stop, &QPushButton::clicked, this, &FindingsView::stop);
    connect(&context, &ViewContext::timelineChanged, this, [this] {
        showPlaces();
        fetch();
    });
    connect(&context, &ViewContext::findingMarksChanged, this, &FindingsView::onMarksChanged);
    connect(&context.time(), &TimeWindow::selectionChanged, this, [this] {
        if (isOfSelection())
            fetch();
    });
    connect(&Themes::instance(), &Themes::changed, this, &FindingsView::fill);
    fill();
}

const FindingPlace& FindingsView::place() const { return m_places[std::size_t(std::max(0, m_scope->currentIndex()))]; }

/// Lists the places in which can be looked, and keeps the chosen place if it still exists.
void FindingsView::showPlaces()
{
    const FindingPlace chosen = m_places.empty() ? FindingPlace() : place();
    m_places = {{FindingPlace::Kind::Whole, 0, -1, tr("Whole trace")}, {FindingPlace::Kind::SelectedRange, 0, -1, tr("Selected range")}};
    const auto timeline = m_context.timeline();
    if (timeline && timeline->hosts.size() > 1)
        for (const std::uint32_t host : hostsInOrder(*timeline))
            m_places.push_back({FindingPlace::Kind::Host, host, -1, text(timeline->hosts[host].shownName())});
    if (timeline && timeline == m_of)
        m_places.insert(m_places.end(), m_processes.begin(), m_processes.end());
    auto at = std::ranges::find(m_places, chosen);
    if (at == m_places.end() && timeline && timeline == m_of)
        at = m_places.insert(at, chosen);
    const QSignalBlocker blocker(m_scope);
    m_scope->clear();
    for (const FindingPlace& it : m_places)
        m_scope->addItem(it.name);
    m_scope->setCurrentIndex(at == m_places.end() ? 0 : int(at - m_places.begin()));
}

void FindingsView::showEvent(QShowEvent* event)
{
    PanelGround::showEvent(event);
    fetch();
}

void FindingsView::resizeEvent(QResizeEvent* event)
{
    PanelGround::resizeEvent(event);
    fillHead(); // Its text depends on the width.
}

bool FindingsView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_page && (event->type() == QEvent::Enter || event->type() == QEvent::Leave)) {
        m_isPointerInside = event->type() == QEvent::Enter;
        if (!m_isPointerInside && m_findings && !std::ranges::is_sorted(order()))
            fill();
    }
    return PanelGround::eventFilter(watched, event);
}

void FindingsView::fetch()
{
    if (!isVisible()) // showEvent() fetches when the view becomes visible.
        return;
    const auto timeline = m_context.timeline();
    const TimeRange selection = m_context.time().selection();
    const bool canLook = timeline && isComplete(*timeline) && hasTimes(*timeline) && (!isOfSelection() || !selection.isEmpty());
    if (!canLook) {
        m_job.cancel();
        m_asked = nullptr;
        m_findings = nullptr;
        return fill();
    }
    const TimeRange range = isOfSelection() ? selection : TimeRange{Timestamp::min(), Timestamp::max()};
    if (m_asked == timeline && m_askedRange == range && m_askedPlace == place())
        return;
    if (m_marks && m_context.findingMarks() == m_marks)
        m_context.setFindingMarks(nullptr);
    m_asked = m_of = timeline;
    m_askedRange = range;
    m_askedPlace = place();
    m_window = rangeOf(*timeline).clippedTo(range);
    m_isCancelled = false;
    m_findings = nullptr;
    m_shownOrder.clear();
    m_job.post([this, timeline, range, place = place()](std::stop_token stop) -> LatestTask::Delivery {
        const FindingRequest request{timeline, range, rowsIn(place), stop};
        const auto progress = [&](Findings&& soFar) { m_job.deliver(stop, [this, found = std::move(soFar)] { take(found, false); }); };
        Findings findings = collectFindings(request, progress);
        if (stop.stop_requested())
            return {};
        auto processes = place.kind == FindingPlace::Kind::Whole ? std::optional(processesOf(*timeline, findings)) : std::nullopt;
        return [this, findings = std::move(findings), processes = std::move(processes)] {
            if (processes) {
                m_processes = *processes;
                showPlaces();
            }
            take(findings, true);
        };
    });
    fill();
}

/// Cancels the search, or continues a cancelled one.
void FindingsView::stop()
{
    if (m_job.isBusy()) {
        m_job.cancel();
        m_isCancelled = true;
        return fill();
    }
    m_asked = nullptr;
    fetch();
}

/// Shows findings. `isDone`: false while some finders are still looking.
void FindingsView::take(Findings findings, bool isDone)
{
    const bool isSame =
        m_findings && !isDone && std::ranges::equal(m_findings->all, findings.all, std::ranges::equal_to(), findingKey, findingKey);
    m_findings = std::make_shared<const Findings>(std::move(findings));
    isSame ? fillHead() : fill();
}

void FindingsView::fillHead()
{
    const bool isBusy = m_job.isBusy() && m_findings && m_findings->done < builtinFinders().size();
    const std::size_t done = m_findings ? m_findings->done : 0;
    const QString progress = tr("%1 of %2 finders").arg(done).arg(builtinFinders().size());
    m_stop->setVisible(m_job.isBusy() || m_isCancelled);
    m_stop->setText(m_isCancelled ? tr("Continue") : tr("Cancel"));
    m_progress->setShare(m_job.isBusy() ? std::optional(double(done) / double(builtinFinders().size())) : std::nullopt);
    const qint64 count = m_findings ? qint64(m_findings->all.size()) : 0;
    if (!m_findings)
        m_count->setText(tr("What stands out"));
    else if (count == 0)
        m_count->setText(isBusy || m_isCancelled ? tr("No finding yet") : tr("Nothing stands out"));
    else
        m_count->setText(count == 1 ? tr("1 finding") : tr("%1 findings").arg(count));
    if (m_isCancelled)
        m_what->setText(tr("cancelled after %1").arg(progress));
    else if (isBusy || m_job.isBusy())
        m_what->setText(progress);
    else if (count == 0)
        m_what->clear();
    else {
        layout()->activate(); // The button may have disappeared.
        const QString range = tr("in %1").arg(durationText(m_window.duration())), whole = tr("%1, by time explained").arg(range);
        m_what->setText(m_what->fontMetrics().horizontalAdvance(whole) <= m_what->width() ? whole : range);
    }
}

/// Shows why there are no findings yet.
void FindingsView::showReason()
{
    const auto timeline = m_context.timeline();
    const QString why = !timeline                              ? tr("No trace open.")
        : !isComplete(*timeline)                               ? tr("The recording is being read.")
        : !hasTimes(*timeline)                                 ? tr("This file has no times. The flame graph shows where time was spent.")
        : isOfSelection() && !m_job.isBusy() && !m_isCancelled ? tr("Select a range: drag over the ruler or over rows.")
                                                               : QString();
    if (!why.isEmpty())
        m_page->content()->addWidget(wrappingLine(why, 12, 400, "text.secondary"));
}

/// Returns the indexes of the findings from top to bottom: the most time explained first, but in the shown order while the pointer is over
/// the list; new findings then come last.
std::vector<std::size_t> FindingsView::order() const
{
    std::vector<std::size_t> indexes(m_findings->all.size());
    std::iota(indexes.begin(), indexes.end(), std::size_t(0));
    if (m_isPointerInside)
        std::ranges::stable_sort(indexes, {}, [this](std::size_t i) {
            return std::ranges::find(m_shownOrder, findingKey(m_findings->all[i])) - m_shownOrder.begin();
        });
    return indexes;
}

void FindingsView::fill()
{
    QString focused; // Key of the finding whose card has the focus.
    for (const FindingCard* const card : m_cards)
        if (card->hasFocus())
            focused = findingKey(card->finding());
    const int scrolled = m_page->verticalScrollBar()->value();
    m_cards.clear();
    empty(*m_page->content());
    m_copy->setEnabled(m_findings != nullptr);
    m_finders->clear();
    fillHead();
    if (!m_findings) {
        showReason();
        return m_page->content()->addStretch(1);
    }
    addCards();
    if (!m_job.isBusy() && !m_isCancelled) {
        addQuality();
        m_finders->setText(
            tr("%1, %2 without a finding").arg(text(helio::countText(m_findings->finders, "finder"))).arg(m_findings->without));
    }
    m_page->content()->addStretch(1);
    for (FindingCard* const card : m_cards)
        if (findingKey(card->finding()) == focused)
            card->setFocus();
    if (scrolled > 0) // The page is laid out later.
        QTimer::singleShot(0, this, [this, scrolled] { m_page->verticalScrollBar()->setValue(scrolled); });
}

void FindingsView::addCards()
{
    QVBoxLayout& list = *m_page->content();
    const auto indexes = order();
    m_shownOrder.clear();
    m_cards.resize(m_findings->all.size());
    for (const std::size_t i : indexes) {
        const Finding& finding = m_findings->all[i];
        auto* const card = new FindingCard(finding, int(i) + 1, m_window, m_of->range);
        connect(card, &FindingCard::selected, this, [this, i] { toggle(i); });
        connect(card, &FindingCard::showRequested, this, [this, i] { goTo(i, false); });
        connect(card, &FindingCard::explainRequested, this, [this, i] { goTo(i, true); });
        connect(card, &FindingCard::stepRequested, this, [this, i](int change) { step(i, change); });
        card->setSelected(findingKey(finding) == m_selected);
        list.addWidget(card);
        m_cards[i] = card;
        m_shownOrder.push_back(findingKey(finding));
    }
    if (m_cards.empty() && !m_job.isBusy() && !m_isCancelled) {
        auto* const check = new QLabel;
        check->setPixmap(iconPixmap("check", theme().color("severity.good"), 32, devicePixelRatioF()));
        check->setContentsMargins(14, 12, 14, 4);
        list.addWidget(check);
        list.addWidget(wrappingLine(tr("%1 looked at %2. The thresholds are 0.5 % of the range and 1 ms.")
                                        .arg(text(helio::countText(m_findings->finders, "finder")), durationText(m_window.duration())),
                                    12, 400, "text.secondary"));
    }
}

void FindingsView::addQuality()
{
    QVBoxLayout& list = *m_page->content();
    list.addSpacing(12);
    list.addWidget(wrappingLine(tr("Recording quality"), 12, 600, "text.primary"));
    list.addSpacing(4);
    for (const QualityNote& note : m_findings->quality) {
        list.addWidget(wrappingLine(text(note.text), 11.5, 400, note.isProblem ? "mark.lost" : "text.secondary"));
        if (!note.command.empty())
            list.addWidget(wrappingLine(text(note.command), 11, 400, "text.secondary"));
        list.addSpacing(4);
    }
    if (!m_findings->unable.empty())
        addUnable();
}

/// Adds a line about the finders that need events that were not recorded, and their commands if the user asked for them.
void FindingsView::addUnable()
{
    QVBoxLayout& list = *m_page->content();
    const auto count = qint64(m_findings->unable.size());
    const QString line =
        count == 1 ? tr("1 finder needs events that were not recorded.") : tr("%1 finders need events that were not recorded.").arg(count);
    auto* const label = new LinkLabel;
    styleLabel(label, 11.5, 400, "text.secondary");
    label->setWordWrap(true);
    label->setContentsMargins(14, 0, 14, 0);
    setTextWithLinks(*label, line + u' ' + linkText("commands", m_showsCommands ? tr("Hide commands") : tr("Show commands")));
    connect(label, &QLabel::linkActivated, this, [this] {
        m_showsCommands = !m_showsCommands;
        fill();
    });
    list.addWidget(label);
    for (const UnableFinder& it : m_findings->unable) {
        if (!m_showsCommands)
            break;
        list.addSpacing(6);
        list.addWidget(wrappingLine(text(it.title), 11.5, 600, "text.secondary"));
        QLabel* const command = wrappingLine(it.command.empty() ? tr("No command is known.") : text(it.command), 11, 400, "text.primary");
        if (!it.command.empty())
            command->setFont(fonts().fixed(11));
        list.addWidget(command);
    }
}

void FindingsView::toggle(std::size_t index)
{
    if (m_cards[index]->isSelected())
        m_context.setFindingMarks(nullptr);
    else
        select(index);
}

void FindingsView::select(std::size_t index)
{
    m_selected = findingKey(m_findings->all[index]);
    for (std::size_t i = 0; i < m_cards.size(); ++i)
        m_cards[i]->setSelected(i == index);
    m_marks = makeFindingMarks(m_findings->all[index], int(index) + 1);
    m_context.setFindingMarks(m_marks);
}

/// Deselects the finding if its marks were removed, for example with Esc.
void FindingsView::onMarksChanged()
{
    if (m_context.findingMarks() == m_marks)
        return;
    m_marks = nullptr;
    m_selected.clear();
    for (FindingCard* const card : m_cards)
        card->setSelected(false);
}

void FindingsView::follow(std::size_t index) { goTo(index, false); }

/// Goes to the current occurrence of a finding, with the time around it. `explains`: true to explain the wait there, too.
void FindingsView::goTo(std::size_t index, bool explains)
{
    select(index);
    const Finding& finding = m_findings->all[index];
    const Evidence* const place = finding.evidence.empty() ? nullptr : &finding.evidence[m_cards[index]->step()];
    const TimeRange range = place ? place->range : finding.range;
    const Duration around = std::max(range.duration(), Duration(1'000));
    TimeWindow::Target target;
    target.cursor = range.begin + range.duration() / 2;
    if (!isOfSelection()) // Selecting another range would replace the findings.
        target.selection = range;
    target.visible = TimeRange{range.begin - around, range.end + around};
    if (place && place->row.isValid())
        target.row = place->row;
    m_context.time().jump(target);
    if (explains)
        m_context.explainWait();
}

void FindingsView::step(std::size_t index, int change)
{
    FindingCard& card = *m_cards[index];
    const auto next = static_cast<std::ptrdiff_t>(card.step()) + change;
    if (next < 0 || next >= static_cast<std::ptrdiff_t>(card.finding().evidence.size()))
        return;
    card.setStep(std::size_t(next));
    goTo(index, false);
}

QString FindingsView::plainText() const
{
    QStringList lines;
    for (std::size_t i = 0; i < m_cards.size(); ++i)
        lines << tr("%1. %2").arg(i + 1).arg(m_cards[i]->plainText());
    if (m_findings)
        for (const QualityNote& note : m_findings->quality)
            lines << text(note.text);
    return lines.join(u'\n') + u'\n';
}

ShownCommand FindingsView::shownCommand() const
{
    QStringList words{"findings"};
    const auto timeline = m_context.timeline();
    if (isOfSelection())
        words += rangeOptions(m_context.time(), m_context.time().selection());
    if (place().kind == FindingPlace::Kind::Process)
        words += optionWords("--process", place().name.section(QStringLiteral(" ("), 0, -2));
    if (timeline && (place().kind == FindingPlace::Kind::Process || place().kind == FindingPlace::Kind::Host))
        words += hostOptions(*timeline, place().host);
    return {words, {}, {}};
}

} // namespace helio
