#include "widgets/views/durations/kind_durations_view.h"

#include "widgets/sampling/sample_model.h"
#include "widgets/views/durations/call_durations_view.h"
#include "widgets/views/durations/losses_view.h"
#include "widgets/views/durations/piece_durations_view.h"

#include <QComboBox>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace helio {

namespace {

const QString Losses = QStringLiteral("taken-of-machines"); ///< Beside the ids of kinds.

bool areThereCalls(const Timeline& timeline) { return std::ranges::any_of(segmentKinds(timeline), &SegmentKind::areCalls); }

} // namespace

KindDurationsView::KindDurationsView(ViewContext& context, QWidget* parent)
    : PanelGround(parent)
    , m_context(context)
    , m_calls(new CallDurationsView(context))
    , m_pieces(new PieceDurationsView(context))
    , m_losses(new LossesView(context))
    , m_choice(new QComboBox)
    , m_head(new QWidget)
    , m_stack(new QStackedWidget)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* head = new QHBoxLayout(m_head);
    head->setContentsMargins(12, 6, 12, 0);
    head->addWidget(m_choice);
    head->addStretch(1);
    m_choice->setFixedHeight(22);
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_choice->setAccessibleName(tr("Whose durations"));
    layout->addWidget(m_head);
    layout->addWidget(m_stack, 1);
    m_stack->addWidget(m_calls);
    m_stack->addWidget(m_pieces);
    m_stack->addWidget(m_losses);
    connect(m_choice, &QComboBox::activated, this, [this](int index) { choose(m_choice->itemData(index).toString()); });
    connect(&context, &ViewContext::timelineChanged, this, [this] {
        listKinds();
        lookForMachines();
    });
    connect(&SampleModel::of(context), &SampleModel::functionChosen, this, [this] {
        if (SampleModel::of(m_context).isOfCalls() && m_chosen)
            choose({});
    });
    listKinds();
}

void KindDurationsView::listKinds()
{
    const auto timeline = m_context.timeline();
    m_kinds = timeline ? pieceKinds(*timeline) : std::vector<PieceKind>();
    const QSignalBlocker blocker(m_choice);
    m_choice->clear();
    if (timeline && areThereCalls(*timeline))
        m_choice->addItem(tr("Calls of a function"), QString());
    if (timeline && m_hasMachines)
        m_choice->addItem(tr("CPU time taken of virtual machines"), Losses);
    for (const PieceKind& it : m_kinds)
        m_choice->addItem(QString::fromStdString(it.title), QString::fromStdString(it.id));
    m_head->setVisible(m_choice->count() > 1 || !m_kinds.empty());
    showChosen();
}

/// There are few words on it, but all threads' names may be looked at.
void KindDurationsView::lookForMachines(bool isAgain)
{
    const auto timeline = m_context.timeline();
    m_hasMachines = m_hasMachines && timeline;
    if (!timeline || (m_machinesJob.isBusy() && !isAgain))
        return;
    m_machinesJob.post([this, timeline](std::stop_token) -> LatestJob::Delivery {
        return [this, timeline, has = hasMachines(*timeline)] {
            if (std::exchange(m_hasMachines, has) != has)
                listKinds();
            if (m_context.timeline() != timeline) // It came meanwhile, and may be the last.
                lookForMachines(true);
        };
    });
}

void KindDurationsView::choose(const QString& kind)
{
    m_chosen = kind;
    showChosen();
}

void KindDurationsView::showChosen()
{
    const int chosen = m_chosen ? m_choice->findData(*m_chosen) : -1;
    m_choice->setCurrentIndex(std::max(chosen, 0));
    const std::string id = m_choice->currentData().toString().toStdString();
    const auto kind = std::ranges::find(m_kinds, id, &PieceKind::id);
    const bool isOfPieces = kind != m_kinds.end();
    m_pieces->setKind(isOfPieces ? std::optional(*kind) : std::nullopt);
    m_stack->setCurrentWidget(isOfPieces                              ? static_cast<QWidget*>(m_pieces)
                                  : m_choice->currentData() == Losses ? static_cast<QWidget*>(m_losses)
                                                                      : m_calls);
    setFocusProxy(m_stack->currentWidget());
}

QJsonObject KindDurationsView::save() const
{
    QJsonObject kept = m_calls->save();
    if (m_chosen)
        kept["kind"] = *m_chosen;
    return kept;
}

void KindDurationsView::restore(const QJsonObject& kept)
{
    m_calls->restore(kept);
    m_chosen = kept["kind"].isString() ? std::optional(kept["kind"].toString()) : std::nullopt;
    showChosen();
}

} // namespace helio
