#include "core/profiling/samples/sample_stacks.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/recording_kind.h"
#include "widgets/docks/flame_graph/flame_graph_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind flameGraphDock;
const ViewKind flameGraphDock{.id = "flame_graph",
                              .title = "Flame graph",
                              .area = ViewKind::Area::Bottom,
                              .order = 5,
                              .menuOrder = 8,
                              .shortcut = "Ctrl+8",
                              .tip = "Sampled or called functions as a flame graph",
                              .make = [](ViewContext& context, QWidget* parent) -> QWidget* { return new FlameGraphView(context, parent); },
                              .hasContent =
                                  [](const Timeline& timeline) {
                                      return recordingKind(timeline) == RecordingKind::Untimed
                                          || recordingKind(timeline) == RecordingKind::Slices || hasSamples(timeline)
                                          || !sampleKinds(timeline).empty();
                                  }};

} // namespace helio
