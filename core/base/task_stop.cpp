#include "core/base/task_stop.h"

#include <utility>

namespace helio {
namespace {

thread_local const TaskStop* t_task = nullptr;

} // namespace

TaskStop::TaskStop(std::stop_token stop)
    : m_stop(std::move(stop))
    , m_outer(std::exchange(t_task, this))
{
}

TaskStop::~TaskStop() { t_task = m_outer; }

std::stop_token TaskStop::current() { return t_task ? t_task->m_stop : std::stop_token(); }

} // namespace helio
