#include "core/correlation/transmissions.h"

namespace helio {

std::string textOf(const Transmissions& messages, const Transmission& message)
{
    const Flow& flow = messages.flows[message.flow];
    std::string text = flow.protocol;
    const auto add = [&](const std::string& part) { text += text.empty() ? part : " " + part; };
    if (!flow.from.empty() || !flow.to.empty())
        add(flow.from + " > " + flow.to);
    const bool isTcp = flow.protocol.empty() || flow.protocol == "tcp";
    if (isTcp)
        add("seq " + std::to_string(message.sequence));
    if (message.length > 0)
        add("len " + std::to_string(message.length));
    if (message.isPart)
        add("(part)");
    return text;
}

} // namespace helio
