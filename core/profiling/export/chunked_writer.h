#pragma once

#include "core/profiling/export/call_tree_text.h"

#include <string>
#include <string_view>

namespace helio {

/// Buffers text and hands it to a TextSink in chunks.
class ChunkedWriter {
public:
    explicit ChunkedWriter(const TextSink& write)
        : m_write(write)
    {
    }
    ~ChunkedWriter() { flush(); }
    std::string& text() { return m_text; }
    /// Returns false if the sink wants no more text.
    bool flushIfFull() { return m_text.size() < 65536 || flush(); }
    bool flush()
    {
        if (m_wantsMore && !m_text.empty())
            m_wantsMore = m_write(m_text);
        m_text.clear();
        return m_wantsMore;
    }

private:
    const TextSink& m_write;
    std::string m_text;
    bool m_wantsMore = true;
};

/// Appends `text` escaped for XML. Bytes that are not UTF-8, and control characters, which XML cannot hold, appear as \xNN.
void appendXml(std::string& out, std::string_view text);

} // namespace helio
