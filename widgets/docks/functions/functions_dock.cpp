#include "core/profiling/samples/sample_stacks.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/recording_kind.h"
#include "widgets/docks/functions/functions_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind functionsDock;
const ViewKind functionsDock{.id = "functions",
                             .title = "Functions",
                             .area = ViewKind::Area::Bottom,
                             .order = 6,
                             .menuOrder = 9,
                             .shortcut = "Ctrl+9",
                             .tip = "Sampled or called functions as a table",
                             .make = [](ViewContext& context, QWidget* parent) -> QWidget* { return new FunctionsView(context, parent); },
                             .hasContent =
                                 [](const Timeline& timeline) {
                                     return recordingKind(timeline) == RecordingKind::Untimed
                                         || recordingKind(timeline) == RecordingKind::Slices || hasSamples(timeline)
                                         || !sampleKinds(timeline).empty();
                                 }};

} // namespace helio
