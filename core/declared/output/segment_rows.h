#pragma once

#include "core/declared/output/any_values.h"
#include "core/declared/running/program_run.h"
#include "core/store/store.h"

#include <string>

namespace helio::declared {

/// The segments of a pattern: one kind, with the pattern's id; what they contain as text. One thread.
class SegmentRows final : public SegmentTaker {
public:
    /// All of them outlive it.
    SegmentRows(const Program& program, const Texts& texts, StateSink& sink);

    void take(const MadeSegment& segment) override;

private:
    const Texts& m_texts;
    StateSink& m_sink;
    SegmentKindId m_kind{};
};

} // namespace helio::declared
