#pragma once

#include <QByteArray>

#include <map>
#include <vector>

namespace helio {

/// Builds the bytes of a protobuf message, field by field. A `tag` is a protobuf field number.
class MadeMessage {
public:
    MadeMessage& number(quint64 tag, quint64 value)
    {
        addVarint(tag << 3);
        addVarint(value);
        return *this;
    }
    MadeMessage& bytes(quint64 tag, const QByteArray& value)
    {
        addVarint(tag << 3 | 2);
        addVarint(quint64(value.size()));
        m_bytes += value;
        return *this;
    }
    /// Adds a packed repeated field of varints.
    MadeMessage& numbers(quint64 tag, const std::vector<quint64>& values)
    {
        MadeMessage packed;
        for (const quint64 value : values)
            packed.addVarint(value);
        return bytes(tag, packed.m_bytes);
    }
    const QByteArray& bytes() const { return m_bytes; }

private:
    void addVarint(quint64 value)
    {
        for (; value >= 0x80; value >>= 7)
            m_bytes += char(value | 0x80);
        m_bytes += char(value);
    }

    QByteArray m_bytes;
};

/// Builds a profile in pprof's format (profile.proto).
class MadePprof {
public:
    MadePprof& type(const QByteArray& name, const QByteArray& unit)
    {
        m_message.bytes(1, MadeMessage().number(1, text(name)).number(2, text(unit)).bytes());
        return *this;
    }
    /// Adds a sample. `locations`: location ids of the call stack, innermost first. `labels`: bytes from textLabel() or numberLabel().
    MadePprof& sample(const std::vector<quint64>& locations, const std::vector<quint64>& values, const QByteArray& labels = {})
    {
        m_message.bytes(2, MadeMessage().numbers(1, locations).numbers(2, values).bytes() + labels);
        return *this;
    }
    MadePprof& mapping(quint64 id, quint64 begin, quint64 end, quint64 offset, const QByteArray& file, const QByteArray& buildId)
    {
        MadeMessage it;
        it.number(1, id).number(2, begin).number(3, end).number(4, offset).number(5, text(file)).number(6, text(buildId));
        m_message.bytes(3, it.bytes());
        return *this;
    }
    /// Adds a location. `lines`: pairs of a function id and a line number, innermost inlined function first.
    MadePprof& location(quint64 id, const std::vector<std::pair<quint64, quint64>>& lines, quint64 mapping = 0, quint64 address = 0)
    {
        MadeMessage it;
        it.number(1, id).number(2, mapping).number(3, address);
        for (const auto& [function, line] : lines)
            it.bytes(4, MadeMessage().number(1, function).number(2, line).bytes());
        m_message.bytes(4, it.bytes());
        return *this;
    }
    MadePprof& function(quint64 id, const QByteArray& name, const QByteArray& file = {})
    {
        m_message.bytes(5, MadeMessage().number(1, id).number(2, text(name)).number(4, text(file)).bytes());
        return *this;
    }
    MadePprof& number(quint64 tag, quint64 value)
    {
        m_message.number(tag, value);
        return *this;
    }

    QByteArray textLabel(const QByteArray& key, const QByteArray& value)
    {
        return MadeMessage().bytes(3, MadeMessage().number(1, text(key)).number(2, text(value)).bytes()).bytes();
    }
    QByteArray numberLabel(const QByteArray& key, quint64 value)
    {
        return MadeMessage().bytes(3, MadeMessage().number(1, text(key)).number(3, value).bytes()).bytes();
    }
    /// Returns the index of `string` in the profile's string table; adds the string if it is not there.
    quint64 text(const QByteArray& string)
    {
        const auto [known, isNew] = m_index.emplace(string, m_strings.size());
        if (isNew)
            m_strings.push_back(string);
        return known->second;
    }

    QByteArray bytes() const
    {
        MadeMessage strings;
        for (const QByteArray& string : m_strings)
            strings.bytes(6, string);
        return m_message.bytes() + strings.bytes();
    }

private:
    MadeMessage m_message;
    std::vector<QByteArray> m_strings{{}};
    std::map<QByteArray, std::size_t> m_index{{QByteArray(), 0}};
};

} // namespace helio
