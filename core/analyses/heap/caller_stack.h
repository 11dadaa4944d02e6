#pragma once

#include "core/event_model/called_functions.h"
#include "core/event_model/open_calls.h"

#include <cstdint>
#include <vector>

namespace helio::heap {

/// The functions that one thread is in, from their entries and exits. They become stacks of the store only where something is asked of
/// them: most calls allocate nothing.
class CallerStack {
public:
    void enter(const RecordedFunction& function);
    void leave(std::uint16_t source, bool hasKey, std::uint64_t key);
    /// Nobody knows any more what is open.
    void clear();

    /// Of what is open now. Cost: of the calls that were not asked for before.
    StackId stack(StackSink& stacks);

private:
    struct Caller {
        StackFrame frame;
        StackId stack = NoStack; ///< None: not asked for yet.
    };
    OpenCalls m_calls;
    std::vector<Caller> m_callers; ///< The same calls, outermost first.
};

} // namespace helio::heap
