#pragma once

#include <string>

namespace helio {

/// Scope in which the current thread runs code of a plug-in. If a signal ends the program in the scope (bad address, bad instruction,
/// abort()), the file `note` is created, from which the next start learns which plug-in crashed. The signal handler is async-signal-safe.
/// Scopes may be nested. A stack overflow creates no note.
/// Threads: each thread has scopes of its own.
/// Cost: a few ns.
class PluginCrashGuard {
public:
    /// Ownership: `note` must outlive the scope. If `note` is empty, no file is created.
    explicit PluginCrashGuard(const std::string& note);
    ~PluginCrashGuard();
    PluginCrashGuard(const PluginCrashGuard&) = delete;
    PluginCrashGuard& operator=(const PluginCrashGuard&) = delete;

private:
    const char* m_before;
};

} // namespace helio
