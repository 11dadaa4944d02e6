#pragma once

#include "core/event_model/called_functions.h"
#include "core/event_model/open_calls.h"

#include <cstdint>
#include <vector>

namespace helio::heap {

/// The open calls of one thread, from entries and exits of functions. Stacks are added to the store only on request, because most calls
/// allocate nothing.
class CallerStack {
public:
    void enter(const RecordedFunction& function);
    void leave(std::uint16_t source, bool hasKey, std::uint64_t key);
    /// Forgets all open calls, because they are not known any more.
    void clear();

    /// Returns the stack of the open calls. Cost: proportional to the calls without a stack so far.
    StackId stack(StackSink& stacks);

private:
    struct Caller {
        StackFrame frame;
        StackId stack = NoStack; ///< NoStack if not requested yet.
    };
    OpenCalls m_calls;
    std::vector<Caller> m_callers; ///< The calls of m_calls, outermost first.
};

} // namespace helio::heap
