#pragma once

#include <string>

namespace helio {

/// While one is there, its thread runs code of a plug-in: where the program ends by a signal in it (a bad address, a bad instruction,
/// abort()), the file `note` is made, so that the next start knows which plug-in it was. What is asked of it is safe in a signal's handler.
/// May stand in one another; each thread has its own. Cost: some ns. A stack that overflows is not noted.
class PluginAtWork {
public:
    /// `note` outlives it; empty: nothing is noted.
    explicit PluginAtWork(const std::string& note);
    ~PluginAtWork();
    PluginAtWork(const PluginAtWork&) = delete;
    PluginAtWork& operator=(const PluginAtWork&) = delete;

private:
    const char* m_before;
};

} // namespace helio
