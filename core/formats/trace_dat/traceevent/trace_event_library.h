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

/// Wrapper of libtraceevent; no other code calls the library. Hostile format files or records may crash the library or make it hang.
/// Threads: to be used by one thread.
class TraceEventLibrary {
public:
    TraceEventLibrary();
    ~TraceEventLibrary();
    TraceEventLibrary(const TraceEventLibrary&) = delete;
    TraceEventLibrary& operator=(const TraceEventLibrary&) = delete;

    void setKernel(bool isBigEndian, int longSize, int pageSize);
    void setSymbols(const std::string& text); ///< Sets the kernel's symbols. `text` is the content of kallsyms.
    void setPrintkFormats(std::string_view text); ///< Sets the formats of trace_printk(). `text` is the content of printk_formats.

    void addFormat(const std::string& system, const std::string& text); ///< Adds a tracepoint. `text` is its format file.

    /// Prints the fields of a tracepoint event into `text`. `data` is the event's raw record. Returns false if the library could not parse
    /// the tracepoint's format file or knows none.
    bool print(int cpu, std::span<const std::byte> data, std::string& text);

private:
    tep_handle* m_handle;
    tep_plugin_list* m_plugins = nullptr;
};

} // namespace helio
