#include "core/event_model/ipc_states.h"

#include <cstdio>
#include <string>

namespace helio {
namespace {

using namespace StateFlag;

/// Returns `sixteenths` / 16 as text without needless zeros, e.g. "1.25" for 20.
std::string decimal(int sixteenths)
{
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "%.4g", sixteenths / 16.0);
    return text.data();
}

/// Returns the colour "#rrggbb" for an IPC code: orange for code 0, grey for code 8 (IPC 1), blue for the highest code.
std::string colorOf(std::size_t code)
{
    struct Color {
        int red, green, blue;
    };
    constexpr Color Stalled{0xd9, 0x48, 0x0f}, Middle{0x92, 0x98, 0xa0}, Fast{0x1c, 0x7e, 0xd6};
    constexpr std::size_t MiddleCode = 8;
    const bool isLow = code < MiddleCode;
    const Color& from = isLow ? Stalled : Middle;
    const Color& to = isLow ? Middle : Fast;
    const int step = static_cast<int>(isLow ? code : code - MiddleCode);
    const int steps = static_cast<int>(isLow ? MiddleCode : IpcCodes - 1 - MiddleCode);
    const auto mix = [&](int a, int b) { return a + (b - a) * step / steps; };
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "#%02x%02x%02x", static_cast<unsigned>(mix(from.red, to.red)),
                  static_cast<unsigned>(mix(from.green, to.green)), static_cast<unsigned>(mix(from.blue, to.blue)));
    return text.data();
}

StateSet makeIpcStates()
{
    StateSet set{"ipc-spans", {}, "Instructions per cycle"};
    for (std::size_t code = 0; code < IpcCodes; ++code) {
        const bool isLast = code + 1 == IpcCodes;
        const std::string low = decimal(LowestIpc[code]);
        const std::string range = isLast ? low + " or more" : low + " to " + decimal(LowestIpc[code + 1]);
        StateStyle style;
        style.color = colorOf(code);
        style.words = "IPC " + range;
        style.legend = range;
        style.order = static_cast<std::uint8_t>(code);
        style.flags = code % 4 == 0 || isLast ? Labelled | InHeader : Labelled;
        style.valueTitle = "Method";
        style.connective = "in";
        set.states.push_back({"ipc-" + low, StateCategory::OnCpu, style});
    }
    set.states.push_back({"idle", StateCategory::Rests, {"cpu.idle", "Idle", "idle", 1, BarPattern::Line, 101, 0, 0, "Method", ""}});
    set.states.push_back({"deep-idle",
                          StateCategory::Rests,
                          {"cpu.idle", "Idle with low power", "deep idle", 1, BarPattern::Dotted, 102, 0, 0, "Method", ""}});
    set.states.push_back(
        {"unmeasured",
         StateCategory::OnCpu,
         {"cpu.unknown", "IPC not recorded", "not recorded", 16, BarPattern::Plain, 20, 0, Labelled | InHeader, "Method", "in"}});
    return set;
}

} // namespace

const StateSet& ipcStates()
{
    static const StateSet set = makeIpcStates();
    return set;
}

} // namespace helio
