#pragma once

#include "core/store/assembly/store_facts.h"
#include "core/store/file/byte_codec.h"

namespace helio {

// Write and read the sections that hold a store's facts. Readers take untrusted bytes and return false if they are no such section. If they
// return true, parents, state sets and other indices are in range.

void writeSummary(const StoreFacts& facts, ByteWriter& out);
bool readSummary(ByteReader in, StoreFacts& facts);

/// State sets, link kinds and tracks. Life and number of intervals of a track are not stored here; they follow from the directory.
void writeTracks(const StoreFacts& facts, ByteWriter& out);
bool readTracks(ByteReader in, StoreFacts& facts);

void writeMergeIndex(const StoreFacts& facts, ByteWriter& out);
bool readMergeIndex(ByteReader in, StoreFacts& facts);

void writeDensity(const StoreFacts& facts, ByteWriter& out);
bool readDensity(ByteReader in, StoreFacts& facts);

void writeLosses(const StoreFacts& facts, ByteWriter& out);
bool readLosses(ByteReader in, StoreFacts& facts);

void writeStrings(const StoreFacts& facts, ByteWriter& out);
bool readStrings(ByteReader in, StoreFacts& facts);

/// The file store writes the section as it is, NumberPool::all().
bool readNumbers(ByteReader in, StoreFacts& facts);

} // namespace helio
