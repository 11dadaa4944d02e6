#include "core/formats/trace_dat/traceevent/trace_event_library.h"

#include <algorithm>
#include <charconv>
#include <event-parse.h>
#include <trace-seq.h>
#include <vector>

namespace helio {

TraceEventLibrary::TraceEventLibrary()
    : m_handle(tep_alloc())
    , m_plugins(tep_load_plugins(m_handle))
{
}

TraceEventLibrary::~TraceEventLibrary()
{
    tep_unload_plugins(m_plugins, m_handle);
    tep_free(m_handle);
}

void TraceEventLibrary::setKernel(bool isBigEndian, int longSize, int pageSize)
{
    tep_set_file_bigendian(m_handle, isBigEndian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
    tep_set_long_size(m_handle, longSize);
    tep_set_page_size(m_handle, pageSize);
}

void TraceEventLibrary::setSymbols(const std::string& text) { tep_parse_kallsyms(m_handle, text.c_str()); }

/// Parses lines such as `0xffffffff81234567 : "text %d\n"`. libtraceevent expects each format with quotes and "\n" and removes them itself;
/// without them, it would read before the start of a short format. Therefore this function adds them to formats that lack them.
void TraceEventLibrary::setPrintkFormats(std::string_view text)
{
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t colon = line.find(" : ");
        if (!line.starts_with("0x") || colon == std::string_view::npos)
            continue;
        std::uint64_t address = 0;
        std::from_chars(line.data() + 2, line.data() + colon, address, 16);
        std::string_view format = line.substr(colon + 3);
        if (format.starts_with('"'))
            format.remove_prefix(1);
        if (format.ends_with('"'))
            format.remove_suffix(1);
        if (format.ends_with("\\n"))
            format.remove_suffix(2);
        tep_register_print_string(m_handle, ('"' + std::string(format) + "\\n\"").c_str(), address);
    }
}

void TraceEventLibrary::addFormat(const std::string& system, const std::string& text)
{
    tep_parse_event(m_handle, text.c_str(), text.size(), system.c_str());
}

bool TraceEventLibrary::print(int cpu, std::span<const std::byte> data, std::string& text)
{
    std::vector<std::byte> copy(data.begin(), data.end());
    tep_record record{};
    record.cpu = cpu;
    record.size = static_cast<int>(copy.size());
    record.data = copy.data();
    tep_event* const event = tep_find_event_by_record(m_handle, &record);
    if (!event || (event->flags & TEP_EVENT_FL_FAILED) != 0)
        return false;
    trace_seq out;
    trace_seq_init(&out);
    tep_print_event(m_handle, &out, &record, "%s", TEP_PRINT_INFO);
    trace_seq_terminate(&out);
    text.assign(out.buffer, out.len);
    trace_seq_destroy(&out);
    return true;
}

} // namespace helio
