//! linear_spring.rs - a spring between two points, f = stiffness (L - reference_length), with its exact tangent, written in
//! Rust against the plain structs of the interface, which are declared here as the headers have them.
//!
//! rustc --edition 2021 --crate-type cdylib -O -C panic=abort linear_spring.rs -o linear_spring.so

use std::mem::size_of;
use std::os::raw::{c_char, c_void};
use std::ptr::null;
use std::slice;

// ---- status.h, describe.h, batch.h, type.h, element.h, element/force.h, plugin.h: what this file needs of them ----

type Status = u32;
const OK: Status = 0;
const RETRY: Status = 1;

const ABI_MAJOR: u32 = 1;
const ABI_MINOR: u32 = 0;

const KIND_REAL: u32 = 0;
const REQUIRED: u32 = 1;
const POINT: u32 = 0;
const POSE_COLUMNS: u32 = 0;

#[repr(C)]
struct Parameter {
    name: *const c_char,
    meaning: *const c_char,
    unit: *const c_char,
    detail: *const c_char,
    standard: f64,
    low: f64,
    high: f64,
    offset: u32,
    kind: u32,
    count: u32,
    count_alternative: u32,
    flags: u32,
    reserved: u32,
}

#[repr(C)]
struct Port {
    name: *const c_char,
    meaning: *const c_char,
    kind: u32,
    minimum: u32,
    maximum: u32,
    reserved: u32,
}

#[repr(C)]
struct MarkerPlace {
    pose: u32,
    twist: u32,
}

#[repr(C)]
struct Failure {
    instance: u32,
    status: u32,
    message: *const c_char,
}

#[repr(C)]
struct ColumnBlock {
    kind: u32,
    first: u32,
    count: u32,
}

/// The fields of tn_batch up to the last one that is read here.
#[repr(C)]
struct Batch {
    struct_size: u32,
    count: u32,
    host: *const c_void,
    time: f64,
    gravity: *const f64,
    instance: *const c_char,
    instance_stride: usize,
    active: *const u8,
    failure: *mut Failure,
    marker_count: u32,
    wrench_size: u32,
    port_first: *const u32,
    marker_kind: *const u32,
    marker: *const MarkerPlace,
    pose: *const f64,
    twist: *const f64,
    wrench: *mut f64,
    tangent: *mut f64,
    tangent_stride: u32,
    column_blocks: u32,
    columns: *const ColumnBlock,
}

type BatchFunction = unsafe extern "C" fn(batch: *mut Batch) -> Status;

#[repr(C)]
struct ForceCapability {
    struct_size: u32,
    reserved: u32,
    force: Option<BatchFunction>,
    force_tangent: Option<BatchFunction>,
}

#[repr(C)]
struct Capability {
    key: *const c_char,
    table: *const c_void,
}

#[repr(C)]
struct ElementType {
    struct_size: u32,
    reserved: u32,
    name: *const c_char,
    parameters: *const Parameter,
    instance_size: usize,
    summary: *const c_char,
    formula: *const c_char,
    literature: *const c_char,
    synonyms: *const c_void,
    flags: u32,
    reserved_too: u32,
    capabilities: *const Capability,
    release: *const c_void,
    ports: *const Port,
    others: [*const c_void; 6], // all that this element has none of
}

#[repr(C)]
struct Type {
    kind: *const c_char,
    address: *const c_void,
}

#[repr(C)]
pub struct Library {
    struct_size: u32,
    abi_major: u32,
    abi_minor: u32,
    reserved: u32,
    name: *const c_char,
    version: *const c_char,
    licence: *const c_char,
    summary: *const c_char,
    types: *const Type,
}

const _: () = assert!(size_of::<Parameter>() == 80);
const _: () = assert!(size_of::<Port>() == 32);
const _: () = assert!(size_of::<Failure>() == 16);
const _: () = assert!(size_of::<ElementType>() == 144);
const _: () = assert!(size_of::<Library>() == 56);

/// The address of a text that ends with a zero.
const fn text(zero_ended: &'static str) -> *const c_char {
    zero_ended.as_ptr() as *const c_char
}

// ---- the law ----

#[repr(C)]
struct LinearSpring {
    stiffness: f64,
    reference_length: f64,
}

/// The line from the first point to the second: its length, its direction, and the force along it.
struct Line {
    length: f64,
    direction: [f64; 3],
    force: f64,
}

impl Batch {
    unsafe fn instance(&self, i: usize) -> &LinearSpring {
        &*(self.instance.add(i * self.instance_stride) as *const LinearSpring)
    }

    unsafe fn is_active(&self, i: usize) -> bool {
        self.active.is_null() || *self.active.add(i) != 0
    }

    /// The wrenches on the two points of one instance.
    unsafe fn wrench(&self, i: usize) -> &mut [f64] {
        slice::from_raw_parts_mut(self.wrench.add(6 * i), 6)
    }

    /// Rows are the six numbers of the two wrenches.
    unsafe fn tangent(&self, i: usize) -> &mut [f64] {
        let size = 6 * self.tangent_stride as usize;
        slice::from_raw_parts_mut(self.tangent.add(size * i), size)
    }

    /// The first column of poses, where these are asked for.
    unsafe fn pose_column(&self) -> Option<usize> {
        if self.column_blocks == 0 {
            return None;
        }
        let blocks = slice::from_raw_parts(self.columns, self.column_blocks as usize);
        let found = blocks.iter().find(|block| block.kind == POSE_COLUMNS);
        found.map(|block| block.first as usize)
    }

    /// Nothing where the points coincide: there is no direction.
    unsafe fn look(&self, i: usize) -> Option<Line> {
        let this = self.instance(i);
        let first = self.pose.add((*self.marker.add(2 * i)).pose as usize);
        let second = self.pose.add((*self.marker.add(2 * i + 1)).pose as usize);
        let mut direction = [0.0; 3];
        let mut square = 0.0;
        for k in 0..3 {
            direction[k] = *second.add(k) - *first.add(k);
            square += direction[k] * direction[k];
        }
        let length = f64::sqrt(square);
        if length == 0.0 {
            return None;
        }
        for component in &mut direction {
            *component /= length;
        }
        let force = this.stiffness * (length - this.reference_length);
        Some(Line { length, direction, force })
    }

    /// The first instance that has no force is told; the kernel takes a shorter step.
    unsafe fn refuse(&self, i: usize, before: Status) -> Status {
        if before == OK && !self.failure.is_null() {
            *self.failure = Failure {
                instance: i as u32,
                status: RETRY,
                message: text("its two points coincide: at length zero it has no direction\0"),
            };
        }
        RETRY
    }
}

/// A positive force pulls the points together.
fn write_wrench(wrench: &mut [f64], line: &Line) {
    for k in 0..3 {
        wrench[k] = line.force * line.direction[k];
        wrench[3 + k] = -wrench[k];
    }
}

/// K = df/dp of the force on the first point by the second one's position: f/L (I - e e^T) + k e e^T.
fn write_tangent(line: &Line, stiffness: f64, tangent: &mut [f64], column: usize, stride: usize) {
    let across = line.force / line.length;
    for r in 0..3 {
        for c in 0..3 {
            let along = line.direction[r] * line.direction[c];
            let unit = if r == c { 1.0 } else { 0.0 };
            let k = across * (unit - along) + stiffness * along;
            tangent[r * stride + column + c] = -k;
            tangent[r * stride + column + 3 + c] = k;
            tangent[(3 + r) * stride + column + c] = k;
            tangent[(3 + r) * stride + column + 3 + c] = -k;
        }
    }
}

unsafe extern "C" fn force(batch: *mut Batch) -> Status {
    let batch = &*batch;
    let mut status = OK;
    for i in 0..batch.count as usize {
        batch.wrench(i).fill(0.0);
        if !batch.is_active(i) {
            continue;
        }
        match batch.look(i) {
            Some(line) => write_wrench(batch.wrench(i), &line),
            None => status = batch.refuse(i, status),
        }
    }
    status
}

/// Of the columns only those of poses are not zero.
unsafe extern "C" fn force_tangent(batch: *mut Batch) -> Status {
    let batch = &*batch;
    let stride = batch.tangent_stride as usize;
    let poses = batch.pose_column();
    let mut status = OK;
    for i in 0..batch.count as usize {
        batch.tangent(i).fill(0.0);
        batch.wrench(i).fill(0.0);
        if !batch.is_active(i) {
            continue;
        }
        match batch.look(i) {
            Some(line) => {
                write_wrench(batch.wrench(i), &line);
                if let Some(column) = poses {
                    let stiffness = batch.instance(i).stiffness;
                    write_tangent(&line, stiffness, batch.tangent(i), column, stride);
                }
            }
            None => status = batch.refuse(i, status),
        }
    }
    status
}

// ---- tables; each ends with an entry whose name is null ----

/// Tables hold addresses, which Rust lets threads share only where it is told that nobody writes to them.
#[repr(transparent)]
struct Table<T>(T);
unsafe impl<T> Sync for Table<T> {}

const fn real(name: &'static str, meaning: &'static str, unit: &'static str, offset: u32) -> Parameter {
    Parameter {
        name: text(name),
        meaning: text(meaning),
        unit: text(unit),
        detail: null(),
        standard: 0.0,
        low: 0.0,
        high: f64::INFINITY,
        offset,
        kind: KIND_REAL,
        count: 1,
        count_alternative: 0,
        flags: REQUIRED,
        reserved: 0,
    }
}

const NO_PARAMETER: Parameter = Parameter { name: null(), count: 0, flags: 0, ..real("\0", "\0", "\0", 0) };

static PARAMETERS: Table<[Parameter; 3]> = Table([
    real("stiffness\0", "force per stretch\0", "N/m\0", 0),
    real("reference_length\0", "length without force\0", "m\0", 8),
    NO_PARAMETER,
]);

const NO_PORT: Port = Port { name: null(), meaning: null(), kind: 0, minimum: 0, maximum: 0, reserved: 0 };

static PORTS: Table<[Port; 2]> = Table([
    Port {
        name: text("markers\0"),
        meaning: text("the two end points\0"),
        kind: POINT,
        minimum: 2,
        maximum: 2,
        reserved: 0,
    },
    NO_PORT,
]);

static FORCES: Table<ForceCapability> = Table(ForceCapability {
    struct_size: size_of::<ForceCapability>() as u32,
    reserved: 0,
    force: Some(force),
    force_tangent: Some(force_tangent),
});

static CAPABILITIES: Table<[Capability; 2]> = Table([
    Capability { key: text("tenon.force/1\0"), table: &FORCES.0 as *const ForceCapability as *const c_void },
    Capability { key: null(), table: null() },
]);

static ELEMENT: Table<ElementType> = Table(ElementType {
    struct_size: size_of::<ElementType>() as u32,
    reserved: 0,
    name: text("linear_spring\0"),
    parameters: &PARAMETERS.0 as *const Parameter,
    instance_size: size_of::<LinearSpring>(),
    summary: text("spring between two points\0"),
    formula: text("f = stiffness (L - reference_length)\0"),
    literature: null(),
    synonyms: null(),
    flags: 0,
    reserved_too: 0,
    capabilities: &CAPABILITIES.0 as *const Capability,
    release: null(),
    ports: &PORTS.0 as *const Port,
    others: [null(); 6],
});

static TYPES: Table<[Type; 2]> = Table([
    Type { kind: text("element\0"), address: &ELEMENT.0 as *const ElementType as *const c_void },
    Type { kind: null(), address: null() },
]);

static LIBRARY: Table<Library> = Table(Library {
    struct_size: size_of::<Library>() as u32,
    abi_major: ABI_MAJOR,
    abi_minor: ABI_MINOR,
    reserved: 0,
    name: text("linear_spring\0"),
    version: text("1.0.0\0"),
    licence: text("Apache-2.0\0"),
    summary: text("linear spring in Rust\0"),
    types: &TYPES.0 as *const Type,
});

/// The one exported function.
#[no_mangle]
pub extern "C" fn tn_plugin_library() -> *const Library {
    &LIBRARY.0
}
