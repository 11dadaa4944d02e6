#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

struct tep_handle;
struct tep_plugin_list;
struct trace_seq;

namespace helio {

/// The only door to libtraceevent. Hostile format files or records may crash the library or let it hang.
/// Threads: to be used by one thread.
class TraceEventLibrary {
public:
    TraceEventLibrary();
    ~TraceEventLibrary();
    TraceEventLibrary(const TraceEventLibrary&) = delete;
    TraceEventLibrary& operator=(const TraceEventLibrary&) = delete;

    void setKernel(bool isBigEndian, int longSize, int pageSize);
    void setSymbols(const std::string& text); ///< `text`: the content of kallsyms.
    void setPrintkFormats(std::string_view text); ///< `text`: the content of printk_formats.

    void addFormat(const std::string& system, const std::string& text); ///< `text`: the format file of a tracepoint.

    /// Prints the raw data of a tracepoint. Returns false if the tracepoint has no format that can be parsed.
    bool print(int cpu, std::span<const std::byte> data, std::string& text);

private:
    tep_handle* m_handle;
    tep_plugin_list* m_plugins = nullptr;
};

} // namespace helio
