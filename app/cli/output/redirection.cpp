#include "app/cli/output/redirection.h"

#include <utility>

namespace helio {
namespace {

thread_local OutputReceiver* t_receiver = nullptr;

} // namespace

OutputRedirection::OutputRedirection(OutputReceiver& receiver)
    : m_outer(std::exchange(t_receiver, &receiver))
{
}

OutputRedirection::~OutputRedirection() { t_receiver = m_outer; }

OutputReceiver* outputReceiver() { return t_receiver; }

std::stop_token commandStop() { return t_receiver ? t_receiver->stop() : std::stop_token(); }

} // namespace helio
