#pragma once

#include "core/profiling/export/call_tree_text.h"

#include <string>
#include <string_view>

namespace helio {

/// Hands text over in pieces of some size.
class Pieces {
public:
    explicit Pieces(const TextSink& write)
        : m_write(write)
    {
    }
    ~Pieces() { flush(); }
    std::string& text() { return m_text; }
    /// False: nobody wants more.
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

/// As a string of JSON, quotes and all. Bytes that are not UTF-8 appear as \xNN.
void appendJson(std::string& out, std::string_view text);

/// As text of XML. Bytes that are not UTF-8, and characters that XML has none for, appear as \xNN.
void appendXml(std::string& out, std::string_view text);

} // namespace helio
