#pragma once

#include <stop_token>

namespace helio {

/// Sets the stop token of the calling thread's task, as long as the object exists. Some code waits without a token of its own, for example
/// a read of data on another machine (core/io/partial_file.h). Its wait ends when a stop of the task is requested. parallelFor() passes the
/// token to its threads.
///
/// Threads: to be used by the thread that made it. Objects of one thread may be nested; the innermost one counts.
class TaskStop {
public:
    explicit TaskStop(std::stop_token stop);
    ~TaskStop();
    TaskStop(const TaskStop&) = delete;
    TaskStop& operator=(const TaskStop&) = delete;

    /// Returns the token of the innermost object of the calling thread; a token without a stop state if there is none.
    static std::stop_token current();

private:
    std::stop_token m_stop;
    const TaskStop* m_outer; ///< The object that counted before.
};

} // namespace helio
