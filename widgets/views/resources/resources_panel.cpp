// Resources: a row a CPU with what it ran, its frequency below the band; closed below it its threads and interrupts. Then the interrupts
// over all CPUs, in closed groups. Migrations as arrows.

#include "widgets/tracks/track_panel.h"
#include "widgets/view/panel_kind.h"

namespace helio {

namespace {

class Resources : public TrackPanel {
public:
    Resources(ViewContext& context, TimeAxis& axis, QWidget* parent)
        : TrackPanel(context, axis, "resources", QObject::tr("Resources"), parent)
    {
        header()->setColumns({{QObject::tr("busy"), 12, int(RowTree::Column::Share)}});
    }

protected:
    QString subtitle() const override
    {
        const auto cpus = std::ranges::count(rowSet().rows(), TrackRole::Cpu, &Row::role);
        return cpus == 0 ? QString() : cpus == 1 ? QObject::tr("1 CPU") : QObject::tr("%1 CPUs").arg(cpus);
    }

    EmptyText emptyText() const override
    {
        return {QObject::tr("No kernel events were recorded that tell what the CPUs did."),
                howToRecord("resources")};
    }
};

} // namespace

extern const PanelKind resourcesPanel;
const PanelKind resourcesPanel{
    "resources",
    "Resources",
    "CPUs and interrupts",
    10,
    TrackRole::Cpu,
    [](ViewContext& context, TimeAxis& axis, QWidget* parent) -> TimePanel* { return new Resources(context, axis, parent); }};

} // namespace helio
