#include "widgets/docks/durations/durations_dock_view.h"

#include "core/profiling/heap/heap_use.h"
#include "widgets/docks/durations/durations_view.h"
#include "widgets/docks/durations/event_pair_dialog.h"
#include "widgets/docks/durations/leaks_view.h"
#include "widgets/docks/durations/steal_view.h"
#include "widgets/profiling/sample_model.h"

#include <QComboBox>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace helio {

namespace {

const QString Losses = QStringLiteral("taken-of-machines"); ///< Id of the entry "Steal time of VMs", which opens a view of its own.
const QString SystemCalls = QStringLiteral("syscall");
const QString NewPair = QStringLiteral("pair-of-events"); ///< Id of the entry that opens the dialog for a pair of events.

bool areThereCalls(const Timeline& timeline) { return std::ranges::any_of(segmentKinds(timeline), &SegmentKind::areCalls); }

} // namespace

DurationsDockView::DurationsDockView(ViewContext& context, QWidget* parent)
    : PanelGround(parent)
    , m_context(context)
    , m_intervalDurations(new IntervalDurationsView(context))
    , m_losses(new StealView(context))
    , m_leaks(new LeaksView(context))
    , m_choice(new QComboBox)
    , m_head(new QWidget)
    , m_stack(new QStackedWidget)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* head = new QHBoxLayout(m_head);
    head->setContentsMargins(12, 5, 12, 2);
    head->addWidget(m_choice);
    head->addStretch(1);
    head->addWidget(m_intervalDurations->tools());
    m_choice->setFixedHeight(22);
    m_choice->setMaxVisibleItems(24); // Maximum number of visible entries: there are many kinds, and scrolling would hide some.
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_choice->setAccessibleName(tr("Kind"));
    m_choice->setAccessibleDescription(tr("Kind of intervals")); // On Linux, the name of a combo box is its choice.
    layout->addWidget(m_head);
    layout->addWidget(m_stack, 1);
    m_stack->addWidget(m_intervalDurations);
    m_stack->addWidget(m_losses);
    m_stack->addWidget(m_leaks);
    connect(m_choice, &QComboBox::activated, this, [this](int index) {
        const QString kind = m_choice->itemData(index).toString();
        kind == NewPair ? openPairDialog() : choose(kind);
    });
    connect(&context, &ViewContext::timelineChanged, this, [this] {
        m_empty.clear();
        listKinds();
        detectVirtualMachines();
    });
    connect(&SampleModel::of(context), &SampleModel::functionChosen, this, [this] {
        if (SampleModel::of(m_context).isOfCalls() && m_chosen)
            choose({});
    });
    connect(&context, &ViewContext::durationsRequested, this, [this](const ViewContext::DurationsRequest& request) {
        choose(request.kind);
        m_intervalDurations->showName(request.name.toStdString(), request.findsPeriods);
    });
    connect(m_intervalDurations, &IntervalDurationsView::nothingFound, this, &DurationsDockView::skipEmptyKind);
    listKinds();
}

void DurationsDockView::listKinds()
{
    const auto timeline = m_context.timeline();
    m_kinds = timeline ? intervalKinds(timeline) : std::vector<IntervalKind>();
    const QSignalBlocker blocker(m_choice);
    m_choice->clear();
    if (timeline && areThereCalls(*timeline))
        m_choice->addItem(QString::fromStdString(IntervalDurationsView::callsOfFunction().title), QString());
    if (timeline && m_hasMachines)
        m_choice->addItem(tr("Steal time of VMs"), Losses);
    for (const IntervalKind& it : m_kinds)
        m_choice->addItem(QString::fromStdString(it.title), QString::fromStdString(it.id));
    if (const auto pair = timeline && !m_pair.empty() ? findIntervalKind(timeline, m_pair) : std::nullopt) {
        m_kinds.push_back(*pair);
        m_choice->addItem(QString::fromStdString(pair->title), QString::fromStdString(pair->id));
    }
    if (timeline && hasPairableEvents(*timeline))
        m_choice->addItem(tr("Custom event pair\u2026"), NewPair);
    m_head->setVisible(m_choice->count() > 1 || !m_kinds.empty());
    showChosen();
}

/// Runs on another thread, because the names of all threads may have to be read, although the result is small.
void DurationsDockView::detectVirtualMachines(bool isAgain)
{
    const auto timeline = m_context.timeline();
    m_hasMachines = m_hasMachines && timeline;
    if (!timeline || (m_machinesJob.isBusy() && !isAgain))
        return;
    m_machinesJob.post([this, timeline](std::stop_token) -> LatestTask::Delivery {
        return [this, timeline, has = hasVirtualMachines(*timeline)] {
            if (std::exchange(m_hasMachines, has) != has)
                listKinds();
            // The timeline changed during the search. The search is repeated, because later changes, which would start a search, may never
            // come.
            if (m_context.timeline() != timeline)
                detectVirtualMachines(true);
        };
    });
}

/// Opens the dialog for a pair of events. First restores the previous entry of the list, in case the user cancels.
void DurationsDockView::openPairDialog()
{
    showChosen();
    const auto timeline = m_context.timeline();
    if (!timeline)
        return;
    const auto before = parseEventPairs(m_pair);
    auto* dialog = new EventPairDialog(pairableEvents(*timeline), before ? *before : EventPairLatency(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        if (const auto pair = dialog->pair())
            choosePair(textOf(*pair));
    });
    dialog->open();
}

void DurationsDockView::choosePair(const std::string& pair)
{
    m_pair = pair;
    m_chosen = QString::fromStdString(pair);
    listKinds();
}

void DurationsDockView::choose(const QString& kind)
{
    m_chosen = kind;
    showChosen();
}

/// Returns the index of the default kind: calls if there are any, otherwise system calls, otherwise the first kind. Kinds without intervals
/// are skipped.
int DurationsDockView::defaultKind() const
{
    const auto isIt = [this](int index) {
        const QString kind = m_choice->itemData(index).toString();
        return kind != NewPair && !m_empty.contains(kind);
    };
    if (m_choice->count() > 0 && m_choice->itemData(0).toString().isEmpty())
        return 0;
    if (const int calls = m_choice->findData(SystemCalls); calls >= 0 && isIt(calls))
        return calls;
    for (int index = 0; index < m_choice->count(); ++index)
        if (isIt(index))
            return index;
    return std::max(0, m_choice->findData(SystemCalls));
}

/// Switches to another kind if the current one has no intervals, unless the user chose it.
void DurationsDockView::skipEmptyKind()
{
    const QString kind = m_choice->currentData().toString();
    if ((m_chosen && m_choice->findData(*m_chosen) >= 0) || m_empty.contains(kind))
        return;
    m_empty << kind;
    // Queued, because m_intervalDurations is still handling its result.
    QMetaObject::invokeMethod(this, &DurationsDockView::showChosen, Qt::QueuedConnection);
}

void DurationsDockView::showChosen()
{
    const int chosen = m_chosen ? m_choice->findData(*m_chosen) : -1;
    m_choice->setCurrentIndex(chosen >= 0 ? chosen : defaultKind());
    const std::string id = m_choice->currentData().toString().toStdString();
    // Leaks have a view of their own, because their bytes matter, not their durations.
    QWidget* other = id == UnfreedBlocks ? static_cast<QWidget*>(m_leaks) : m_choice->currentData() == Losses ? m_losses : nullptr;
    const auto kind = std::ranges::find(m_kinds, id, &IntervalKind::id);
    m_intervalDurations->setKind(other ? std::nullopt
                                       : std::optional(kind != m_kinds.end() ? *kind : IntervalDurationsView::callsOfFunction()));
    m_intervalDurations->tools()->setVisible(!other);
    m_stack->setCurrentWidget(other ? other : m_intervalDurations);
    setFocusProxy(m_stack->currentWidget());
}

ShownCommand DurationsDockView::shownCommand() const
{
    const auto* shown = dynamic_cast<const CommandProvider*>(m_stack->currentWidget());
    return shown ? shown->shownCommand() : ShownCommand();
}

QJsonObject DurationsDockView::save() const
{
    QJsonObject kept = m_intervalDurations->save();
    if (m_chosen)
        kept["kind"] = *m_chosen;
    if (!m_pair.empty())
        kept["pair"] = QString::fromStdString(m_pair);
    return kept;
}

void DurationsDockView::restore(const QJsonObject& kept)
{
    m_intervalDurations->restore(kept);
    m_chosen = kept["kind"].isString() ? std::optional(kept["kind"].toString()) : std::nullopt;
    m_pair = kept["pair"].toString().toStdString();
    listKinds();
}

} // namespace helio
