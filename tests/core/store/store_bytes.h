#pragma once

#include "core/store/store.h"
#include "core/store/store_format.h"
#include "tests/support/dice.h"

#include <QByteArray>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>
#include <xxhash.h>

namespace helio::test {

/// Returns the entry of a section in the section table of a store file; an entry without id if the file has no such section.
inline format::Section sectionOf(const QByteArray& bytes, format::SectionId id)
{
    format::Header header;
    std::memcpy(&header, bytes.constData(), sizeof header);
    for (const format::Section& section : header.sections)
        if (section.id == id)
            return section;
    return {};
}

/// Returns the entries that a section of a store file contains.
template <typename Entry> std::vector<Entry> entriesIn(const QByteArray& bytes, format::SectionId id)
{
    const auto section = sectionOf(bytes, id);
    std::vector<Entry> all(section.length / sizeof(Entry));
    std::memcpy(all.data(), bytes.constData() + section.offset, all.size() * sizeof(Entry));
    return all;
}

/// Recomputes all hashes except those of blocks. Requires: a header whose sections lie in the file.
inline void rehash(QByteArray& bytes)
{
    format::Header header;
    std::memcpy(&header, bytes.constData(), sizeof header);
    for (std::uint32_t i = 0; i < header.sectionCount; ++i) {
        format::Section& section = header.sections[i];
        if (!format::hasBlockHashes(section.id))
            section.hash = XXH3_64bits(bytes.constData() + section.offset, section.length);
    }
    const format::Footer footer{format::FooterMagic, XXH3_64bits(&header.sections, sizeof header.sections)};
    header.hash = XXH3_64bits(&header, sizeof header - sizeof header.hash);
    std::memcpy(bytes.data(), &header, sizeof header);
    std::memcpy(bytes.data() + bytes.size() - sizeof footer, &footer, sizeof footer);
}

/// Returns the file with one to three bytes of a section changed and with correct hashes, as an attacker could write it.
inline QByteArray withHostileBytes(QByteArray bytes, std::span<const format::SectionId> ids, Dice& dice)
{
    const format::Section section = sectionOf(bytes, ids[dice.below(ids.size())]);
    for (std::uint64_t i = 0; i <= dice.below(3); ++i)
        bytes[qsizetype(section.offset + dice.below(section.length))] = char(dice.below(3) ? dice.below(256) : 0xff);
    rehash(bytes);
    return bytes;
}

/// Writes and opens store files in a temporary folder. opened() opens them with the identity "id".
class StoreFiles {
public:
    QString path(const char* name) const { return m_folder.filePath(name); }
    QByteArray bytesOf(const char* name) const
    {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    Result<std::shared_ptr<const Store>> opened(const QByteArray& bytes) const
    {
        QFile::remove(path("opened")); // A new file, because the old one may still be mapped by an open store.
        QFile file(path("opened"));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("cannot write");
        file.close();
        return openStore(path("opened").toStdString(), "id");
    }

    /// Changes one byte of each section in `ids`, one section at a time, without correcting the section's hash. Returns the number of
    /// changed files that openStore() refuses as corrupt.
    std::size_t countRefused(const QByteArray& good, std::span<const format::SectionId> ids) const
    {
        return static_cast<std::size_t>(std::ranges::count_if(ids, [&](format::SectionId id) {
            QByteArray bytes = good;
            const format::Section section = sectionOf(bytes, id);
            bytes[qsizetype(section.offset + section.length / 2)] ^= 0x40;
            const auto store = opened(bytes);
            return !store && store.error().kind == Error::Kind::Corrupt;
        }));
    }

    /// Opens `count` files made by withHostileBytes() and calls ask(store) for each file that opens. Returns the number of files that
    /// opened.
    template <typename Ask> int askHostile(const QByteArray& good, std::span<const format::SectionId> ids, int count, const Ask& ask) const
    {
        Dice dice(11);
        int asked = 0;
        for (int i = 0; i < count; ++i)
            if (const auto store = opened(withHostileBytes(good, ids, dice))) {
                ask(**store);
                ++asked;
            }
        return asked;
    }

private:
    QTemporaryDir m_folder;
};

} // namespace helio::test
