#pragma once

#include "core/store/store_format.h"

#include <QByteArray>

#include <cstring>
#include <xxhash.h>

namespace helio::test {

/// The section of a store file; one without an id where there is none.
inline format::Section sectionOf(const QByteArray& bytes, format::SectionId id)
{
    format::Header header;
    std::memcpy(&header, bytes.constData(), sizeof header);
    for (const format::Section& section : header.sections)
        if (section.id == id)
            return section;
    return {};
}

/// Makes all hashes right but those of blocks. Requires: a header whose sections lie in the file.
inline void rehash(QByteArray& bytes)
{
    format::Header header;
    std::memcpy(&header, bytes.constData(), sizeof header);
    for (std::uint32_t i = 0; i < header.sectionCount; ++i) {
        format::Section& section = header.sections[i];
        if (!format::hasProvenBlocks(section.id))
            section.hash = XXH3_64bits(bytes.constData() + section.offset, section.length);
    }
    const format::Footer footer{format::FooterMagic, XXH3_64bits(&header.sections, sizeof header.sections)};
    header.hash = XXH3_64bits(&header, sizeof header - sizeof header.hash);
    std::memcpy(bytes.data(), &header, sizeof header);
    std::memcpy(bytes.data() + bytes.size() - sizeof footer, &footer, sizeof footer);
}

} // namespace helio::test
