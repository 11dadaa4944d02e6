#pragma once

#include <string>

namespace helio {

/// A scope in which the current thread runs code of a plug-in. If the program is ended by a signal in it (bad address, bad instruction,
/// abort()), the file `note` is made, so that the next start knows which plug-in crashed. Everything that the signal handler does is
/// async-signal-safe. Scopes may be nested. A stack overflow is not noted.
/// Threads: each thread has scopes of its own. Cost: a few ns.
class PluginCrashGuard {
public:
    /// Ownership: `note` must outlive the scope. If it is empty, no file is made.
    explicit PluginCrashGuard(const std::string& note);
    ~PluginCrashGuard();
    PluginCrashGuard(const PluginCrashGuard&) = delete;
    PluginCrashGuard& operator=(const PluginCrashGuard&) = delete;

private:
    const char* m_before;
};

} // namespace helio
