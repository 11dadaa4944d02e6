#pragma once

#include "core/store/store.h"
#include "core/xml_analysis/output/tree_rows.h"
#include "core/xml_analysis/running/program_run.h"

#include <string>

namespace helio::xml {

/// Writes the segments of a pattern as one kind of segments with the pattern's id; their fields become one text.
/// Threads: to be used by one thread.
class SegmentRows final : public SegmentReceiver {
public:
    /// Ownership: all arguments outlive the object.
    SegmentRows(const Program& program, const Texts& texts, StateSink& sink);

    void take(const PatternSegment& segment) override;

private:
    const Texts& m_texts;
    StateSink& m_sink;
    SegmentKindId m_kind{};
};

} // namespace helio::xml
