// Control flow: every process and thread, a row each; children below what started them. Wake-ups and scheduling as arrows.
//
// Columns: name, TID, share of the window on a CPU. States of the set "thread".

#include "widgets/views/panel_kind.h"
#include "widgets/views/track_panel.h"

namespace helio {

namespace {

class ControlFlow : public TrackPanel {
public:
    ControlFlow(ViewContext& context, TimeAxis& axis, QWidget* parent)
        : TrackPanel(context, axis, "control-flow", QObject::tr("Control flow"), parent)
    {
        header()->setColumns({{QObject::tr("CPU %"), 12, int(RowTree::Column::Share)}, {QObject::tr("TID"), 86, int(RowTree::Column::Id)}});
        graph()->setPercentBare(true);
        setLegendStates({{"thread", "running-user"},
                         {"thread", "running-syscall"},
                         {"thread", "page-fault"},
                         {"thread", "interrupted"},
                         {"thread", "wait-cpu"},
                         {"thread", "preempted"},
                         {"thread", "blocked"},
                         {"thread", "sleeping"}},
                        {{"thread", "running-user"}, {"thread", "running-kernel"}, {"thread", "unknown"}});
    }

protected:
    QString subtitle() const override
    {
        const auto all = qint64(rowSet().tracks());
        const auto shown = qint64(shownRows());
        if (shown == qint64(rowSet().rows().size()))
            return all == 0 ? QString() : all == 1 ? QObject::tr("1 thread") : QObject::tr("%1 threads").arg(countText(all));
        return QObject::tr("%1 of %2").arg(countText(shown), countText(all));
    }

    EmptyText emptyText() const override
    {
        return {QObject::tr("No scheduler events were recorded, so threads have no states. The Events dock lists what there is."),
                howToRecord("control-flow")};
    }
};

} // namespace

extern const PanelKind controlFlowPanel;
const PanelKind controlFlowPanel{"control-flow", 20, [](ViewContext& context, TimeAxis& axis, QWidget* parent) -> TimePanel* {
                                     return new ControlFlow(context, axis, parent);
                                 }};

} // namespace helio
