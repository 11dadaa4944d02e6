#include "core/xml_analysis/reach/recording.h"

#include <algorithm>
#include <string_view>

namespace helio::xml {
namespace {

constexpr std::string_view CallPrefixes[] = {"compat_syscall_entry_", "compat_syscall_exit_", "syscall_entry_", "syscall_exit_",
                                             "sys_"}; ///< Prefix of system call entries in LTTng before 2.5.

/// Returns the name of the system call, for example "futex" for "syscall_entry_futex"; empty if the event is not a system call.
std::string_view callIn(std::string_view name)
{
    for (const std::string_view prefix : CallPrefixes)
        if (name.starts_with(prefix))
            return name.substr(prefix.size());
    return {};
}

bool isOfCalls(std::string_view pattern)
{
    return pattern.starts_with("syscall_") || pattern.starts_with("compat_syscall_") || pattern.starts_with("sys_");
}

/// A list of names without duplicates, in the order in which they were added.
class Names {
public:
    void add(std::string_view name)
    {
        if (std::ranges::find(m_all, name) != m_all.end())
            return;
        m_all.emplace_back(name);
        m_text += (m_text.empty() ? "" : ",") + std::string(name);
    }
    const std::string& text() const { return m_text; }

private:
    std::vector<std::string> m_all;
    std::string m_text;
};

void addCommand(const char* options, const std::string& names, std::string& command)
{
    if (!names.empty())
        command += (command.empty() ? "" : " && ") + std::string("lttng enable-event ") + options + names;
}

} // namespace

bool isName(const std::string& pattern) { return pattern.find_first_of("\\^$.|?*+()[]{}") == std::string::npos; }

std::vector<std::string> inWords(const std::vector<std::string>& patterns)
{
    std::vector<std::string> words;
    for (const std::string& pattern : patterns)
        words.push_back(isName(pattern) ? pattern : "any matching " + pattern);
    return words;
}

std::string makeRecordCommand(const std::vector<std::string>& patterns)
{
    Names kernel;
    Names programs;
    Names calls;
    bool areAllCalls = false;
    for (const std::string& pattern : patterns)
        if (!isName(pattern))
            areAllCalls = areAllCalls || isOfCalls(pattern);
        else if (const std::string_view call = callIn(pattern); !call.empty())
            calls.add(call);
        else if (pattern.find(':') != std::string::npos)
            programs.add(pattern);
        // The event "exit_syscall" needs no command of its own, because it is recorded together with every system call.
        else if (pattern != "exit_syscall")
            kernel.add(pattern);
    std::string command;
    addCommand("-k ", kernel.text(), command);
    addCommand("-k --syscall ", areAllCalls ? "--all" : calls.text(), command);
    addCommand("-u ", programs.text(), command);
    return command;
}

} // namespace helio::xml
