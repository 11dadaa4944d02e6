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
    /// Begins a scope. If the program crashes within the scope, the file `note` is created. If `note` is empty, no file is created.
    /// Ownership: `note` must outlive this object.
    explicit PluginCrashGuard(const std::string& note);
    ~PluginCrashGuard();
    PluginCrashGuard(const PluginCrashGuard&) = delete;
    PluginCrashGuard& operator=(const PluginCrashGuard&) = delete;

private:
    const char* m_before;
};

} // namespace helio
