// Control flow: every process and thread, a row each; children below what started them. Wake-ups and scheduling as arrows.
//
// Columns: name, TID, share of the window on a CPU.

#include "core/query/events/event_totals.h"
#include "core/query/rows/facts.h"
#include "widgets/tracks/track_panel.h"
#include "widgets/view/panel_kind.h"

namespace helio {

namespace {

class ControlFlow : public TrackPanel {
public:
    ControlFlow(ViewContext& context, TimeAxis& axis, QWidget* parent)
        : TrackPanel(context, axis, "control-flow", QObject::tr("Control flow"), parent)
    {
        header()->setColumns({{QObject::tr("CPU %"), 12, int(RowTree::Column::Share)}, {QObject::tr("TID"), 86, int(RowTree::Column::Id)}});
        graph()->setPercentBare(true);
        pinnedGraph()->setPercentBare(true);
        setCanHideResting();
        setCanList();
    }

protected:
    QString subtitle() const override
    {
        const auto all = qint64(rowSet().tracks());
        const auto shown = qint64(shownRows());
        if (shown == all)
            return all == 0 ? QString() : all == 1 ? QObject::tr("1 thread") : QObject::tr("%1 threads").arg(countText(all));
        return QObject::tr("%1 of %2").arg(countText(shown), countText(all));
    }

    EmptyText emptyText() const override
    {
        const auto hosts = hostFacts(*axis().timeline());
        if (std::ranges::any_of(hosts, [](const HostFacts& host) { return host.cpus > 0; }))
            return {QObject::tr("No scheduler events were recorded, so threads have no states. The Events dock lists what there is."),
                    howToRecord("control-flow")};
        return whatThereIs();
    }

private:
    /// Of a trace whose events name no thread.
    EmptyText whatThereIs() const
    {
        constexpr std::size_t Most = 6;
        const auto counts = eventCounts(*axis().timeline());
        std::uint64_t all = 0;
        QStringList names;
        for (const auto& [name, count] : counts) {
            all += count;
            if (std::size_t(names.size()) < Most)
                names << QObject::tr("%1 × %2").arg(countText(qint64(count)), QString::fromStdString(name));
        }
        if (counts.size() > Most)
            names << QObject::tr("%1 other kinds").arg(countText(qint64(counts.size() - Most)));
        return {QObject::tr("This recording has %1 events, and none says which thread it is of. The Events dock lists them.")
                    .arg(countText(qint64(all))),
                names.join('\n')};
    }
};

} // namespace

extern const PanelKind controlFlowPanel;
const PanelKind controlFlowPanel{
    "control-flow",
    "Control flow",
    "Processes and threads",
    20,
    TrackRole::Thread,
    [](ViewContext& context, TimeAxis& axis, QWidget* parent) -> TimePanel* { return new ControlFlow(context, axis, parent); }};

} // namespace helio
